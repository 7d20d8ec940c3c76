import { unusualNames } from '../../steps/steps-create.ts'
import {
  isOrdinaryStep,
  listReadBacks,
  listValidCreations,
  readSentMember,
} from '../../transcript/creations.ts'
import { formatValue, isSameName } from '../../transcript/pets.ts'
import { isSuccess, type RecordedResponse, readMember } from '../../transcript/responses.ts'
import type { Transcript } from '../../transcript/transcript.ts'
import {
  broken,
  brokenAt,
  holds,
  type JudgedResponse,
  judgeAny,
  judgeCreation,
  judgeEach,
  noEvidence,
  notApplicable,
} from '../judging.ts'
import { type Finding, type Judge, must, type RuleFamily, should } from '../rule.ts'

/** Rules about the values that createPet returns (sections 2 and 4.2). */
export const returnedRules: RuleFamily = {
  'CREATE-3 s4-2-as-sent': must.create(
    'createPet returns `name` and `categoryId` as sent',
    judgeEach(listReturnedMembers, {
      expected: 'the name and categoryId that were sent',
      findProblem: (creation) => findMemberProblem(creation, creation.member),
      at: ({ member }) => ({ path: [member] }),
      reasonIfNone: 'no createPet response has a name or a categoryId',
      sources: listOrdinaryCreations,
    }),
  ),
  'CREATE-21 s2-int64': must.create(
    'an int64 that a double cannot represent (9007199254740993) is returned digit for digit',
    judgeIfAccepted(
      'create-int64',
      'categoryId',
      (judged) => {
        const problem = findMemberProblem(judged, 'categoryId')
        return problem === undefined
          ? holds('the categoryId was returned as sent')
          : brokenAt({ path: ['categoryId'] }, 'the categoryId that was sent', `createPet ${problem}`)
      },
      judgeSmallCategory,
    ),
  ),
  'CREATE-22 s2-name-text': must.create(
    'a name in several scripts, if accepted, is returned as sent',
    judgeIfAccepted('create-unusual-name', 'name', judgeScripts),
  ),
  'CREATE-23 s2-id-assigned': should.create(
    'the service assigns the id, not the body',
    judgeCreation('create-own-id', ({ exchange, response, status }) => {
      if (status === 400) return noEvidence('the server rejects a body with an id')
      if (!isSuccess(status)) return broken('201 or 400', `createPet returned ${status}`)
      const returnedId = readMember({ response }, 'id')
      if (typeof returnedId !== 'bigint') return noEvidence('the response has no id: see CREATE-2')
      if (returnedId !== readSentMember(exchange, 'id'))
        return holds(`the service assigned the id ${returnedId}`)
      const actualId = `the id ${returnedId}, which the body requested`
      return brokenAt({ path: ['id'] }, 'an id that the service assigned', actualId)
    }),
  ),
  'CREATE-28 s2-name-text': must.create(
    `a name with \`&\`, \`<\`, \`"\` and \`'\`, if accepted, is returned as sent, immediately and later; likewise a name with \`\\\`, \`%41\` and a trailing space`,
    judgeAny(
      judgeNameEnd('create-unusual-name', unusualNames.punctuation),
      judgeNameEnd('create-own-id', unusualNames.escapes),
    ),
  ),
}

function listOrdinaryCreations(transcript: Transcript): ReturnType<typeof listValidCreations> {
  return listValidCreations(transcript).filter(({ id }) => isOrdinaryStep(id))
}

function listReturnedMembers(transcript: Transcript): readonly (RecordedResponse & { member: string })[] {
  return listOrdinaryCreations(transcript)
    .flatMap((creation) => ['name', 'categoryId'].map((member) => ({ ...creation, member })))
    .filter((creation) => readMember(creation, creation.member) !== undefined)
}

/** CREATE-2 judges a missing member. */
function findMemberProblem({ exchange, response }: RecordedResponse, name: string): string | undefined {
  const returnedValue = readMember({ response }, name)
  const sentValue = readSentMember(exchange, name)
  const isSame =
    typeof returnedValue === 'string' ? isSameName(sentValue, returnedValue) : returnedValue === sentValue
  return returnedValue === undefined || isSame
    ? undefined
    : `returned the ${name} ${formatValue(returnedValue)} for the sent value ${formatValue(sentValue)}`
}

/**
 * Creates a judge for a value that the server may reject with a 400. The value proves nothing if even an ordinary one
 * is returned changed.
 */
function judgeIfAccepted(
  id: string,
  name: string,
  judge: (judged: JudgedResponse, transcript: Transcript) => Finding,
  judgeRejection: Judge = () => notApplicable('the body was rejected with 400, which the interface allows'),
): Judge {
  return judgeCreation(id, (judged, transcript) => {
    const { status } = judged
    const [accepted] = listValidCreations(transcript)
    if (status === 400 && accepted === undefined) return noEvidence('no valid body was accepted')
    if (status === 400) return judgeRejection(transcript)
    if (status === 403) return noEvidence('no other body returned 403: a firewall may have rejected this one')
    if (!isSuccess(status)) return broken('201 or 400', `createPet returned ${status}`)
    if (readMember(judged, name) === undefined) return noEvidence(`the response has no ${name}: see CREATE-2`)
    const altered = listOrdinaryCreations(transcript).find((creation) => findMemberProblem(creation, name))
    return altered === undefined
      ? judge(judged, transcript)
      : noEvidence(`createPet also changes an ordinary ${name}: see CREATE-3`, id, altered.id)
  })
}

/**
 * Judges a rejected large category by trying a small one that no animal has. A deployment that rejects both checks its
 * categories.
 */
function judgeSmallCategory(transcript: Transcript): Finding {
  return judgeCreation('create-small-category', ({ id, exchange, status }) => {
    const category = formatValue(readSentMember(exchange, 'categoryId'))
    const ids = ['create-int64', id]
    if (isSuccess(status)) {
      const actualResponse = `createPet returned 400, although it accepted the category ${category}`
      return broken('status 201 for 9007199254740993', actualResponse, ...ids)
    }
    return status === 400
      ? notApplicable(`the server checks categories: it also rejected the new category ${category}`, ...ids)
      : noEvidence(`${category} returned ${status}`, ...ids.toReversed())
  })(transcript)
}

/** Only the letters are compared. CREATE-28 judges the punctuation after the last space. */
function judgeScripts(judged: JudgedResponse): Finding {
  const [sent, back] = readNames(judged)
  return back.startsWith(sent.slice(0, sent.lastIndexOf(' ')))
    ? holds('the name was returned with the letters that were sent')
    : broken(`the letters in ${formatValue(sent)}`, `the name ${formatValue(back)}`)
}

/** Creates a judge for a name's trailing punctuation, in the creation's response and in later responses. */
function judgeNameEnd(id: string, end: string): Judge {
  const keepsNameEnd = (name: string): boolean => name.normalize('NFC').endsWith(` ${end}`)
  return judgeIfAccepted(id, 'name', (judged, transcript) => {
    const [sent, back] = readNames(judged)
    const expectedName = `a name with the same end as ${formatValue(sent)}`
    if (!keepsNameEnd(back)) return broken(expectedName, `the name ${formatValue(back)}`)
    for (const { creation, first, second } of listReadBacks(transcript)) {
      const [then, now] = [first.found, second?.found]
      if (creation.id !== id || second === undefined || now === undefined || then === undefined) continue
      if (keepsNameEnd(then.name) || keepsNameEnd(now.name)) continue
      const ids = [second.exchange.id, first.exchange.id, id]
      return broken(expectedName, `the name ${formatValue(now.name)} in a later response`, ...ids)
    }
    return holds('the name was returned with the end that was sent')
  })
}

function readNames({ exchange, response }: RecordedResponse): readonly [sent: string, back: string] {
  const toNfc = (name: unknown): string => (typeof name === 'string' ? name.normalize('NFC') : '')
  return [toNfc(readSentMember(exchange, 'name')), toNfc(readMember({ response }, 'name'))]
}

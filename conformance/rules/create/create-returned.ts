import { unusual } from '../../steps/steps-create.ts'
import { findLater, isOrdinary, readSentMember, validCreations } from '../../transcript/creations.ts'
import { isSameName, show } from '../../transcript/pets.ts'
import { isSuccess, type RecordedResponse, readMember, readPet } from '../../transcript/responses.ts'
import type { Transcript } from '../../transcript/transcript.ts'
import {
  anyOf,
  broken,
  brokenAt,
  eachOf,
  holds,
  type JudgedResponse,
  noEvidence,
  notApplicable,
  onCreation,
} from '../judging.ts'
import { type Family, type Finding, type Judge, must, should } from '../rule.ts'

/** Rules on the members of a body in the response to it (sections 2 and 4.2). */
export const returnedRules: Family = {
  'CREATE-3 s4-2-as-sent': must.create(
    'createPet returns `name` and `categoryId` as they were sent',
    eachOf(returnedMembers, {
      expected: 'the name and the categoryId that were sent',
      problem: (creation) => memberProblem(creation, creation.member),
      at: ({ member }) => ({ path: [member] }),
      ifNone: 'no creation returned a name or a categoryId',
      containedIn: ordinaryCreations,
    }),
  ),
  'CREATE-21 s2-int64': must.create(
    'an int64 that a double cannot represent (9007199254740993) is returned digit for digit',
    ifAccepted(
      'create-int64',
      'categoryId',
      (judged) => {
        const problem = memberProblem(judged, 'categoryId')
        return problem === undefined
          ? holds('the categoryId came back as sent')
          : brokenAt({ path: ['categoryId'] }, 'the categoryId that was sent', `it ${problem}`)
      },
      judgeSmall,
    ),
  ),
  'CREATE-22 s2-name-text': must.create(
    'a name in several scripts, if accepted, is returned as sent',
    ifAccepted('create-unusual-name', 'name', judgeScripts),
  ),
  'CREATE-23 s2-id-assigned': should.create(
    'the service assigns the id, not the body',
    onCreation('create-own-id', ({ exchange, response, status }) => {
      if (status === 400) return noEvidence('a body with an id is rejected')
      if (!isSuccess(status)) return broken('201 or 400', `it returned ${status}`)
      const given = readMember({ response }, 'id')
      if (typeof given !== 'bigint') return noEvidence('the response has no id: see CREATE-2')
      if (given !== readSentMember(exchange, 'id')) return holds(`the service assigned the id ${given}`)
      const got = `the id ${given}, which the body requested`
      return brokenAt({ path: ['id'] }, 'an id that the service assigned', got)
    }),
  ),
  'CREATE-28 s2-name-text': must.create(
    `a name with \`&\`, \`<\`, \`"\` and \`'\`, if accepted, is returned as sent, immediately and later; also one with \`\\\`, \`%41\` and a trailing space`,
    anyOf(
      keepsEnd('create-unusual-name', unusual.punctuation),
      keepsEnd('create-escapes-name', unusual.escapes),
    ),
  ),
}

function ordinaryCreations(transcript: Transcript): ReturnType<typeof validCreations> {
  return validCreations(transcript).filter(({ id }) => isOrdinary(id))
}

function returnedMembers(transcript: Transcript): readonly (RecordedResponse & { member: string })[] {
  return ordinaryCreations(transcript)
    .flatMap((creation) => ['name', 'categoryId'].map((member) => ({ ...creation, member })))
    .filter((creation) => readMember(creation, creation.member) !== undefined)
}

/** Returns the problem of a member of a response, as a phrase. CREATE-2 judges a missing member. */
function memberProblem({ exchange, response }: RecordedResponse, name: string): string | undefined {
  const back = readMember({ response }, name)
  const sent = readSentMember(exchange, name)
  const isSame = typeof back === 'string' ? isSameName(sent, back) : back === sent
  return back === undefined || isSame ? undefined : `has the ${name} ${show(back)} for ${show(sent)}`
}

/**
 * Judges a member of the response to a body that a deployment may reject with 400, as the interface leaves limits on
 * names and the existence of categories open.
 */
function ifAccepted(
  id: string,
  name: string,
  judge: (judged: JudgedResponse, transcript: Transcript) => Finding,
  judgeRejection: Judge = () => notApplicable('it was rejected with 400, which the interface allows'),
): Judge {
  return onCreation(id, (judged, transcript) => {
    const { status } = judged
    const [accepted] = validCreations(transcript)
    if (status === 400 && accepted === undefined) return noEvidence('no valid body was accepted')
    if (status === 400) return judgeRejection(transcript)
    if (status === 403) return noEvidence('only this body returned 403: a firewall in front may reject it')
    if (!isSuccess(status)) return broken('201 or 400', `it returned ${status}`)
    if (readMember(judged, name) === undefined) return noEvidence(`the response has no ${name}: see CREATE-2`)
    const plain = ordinaryCreations(transcript).find((creation) => memberProblem(creation, name))
    return plain === undefined
      ? judge(judged, transcript)
      : noEvidence(`no ${name} comes back as sent: see CREATE-3`, id, plain.id)
  })
}

/** After a 400, a new category that is small shows whether it is the size that was rejected. */
function judgeSmall(transcript: Transcript): Finding {
  const large = 'create-int64'
  return onCreation('create-small-category', ({ id, exchange, status }) => {
    const category = show(readSentMember(exchange, 'categoryId'))
    if (isSuccess(status))
      return broken(
        '9007199254740993 accepted',
        `createPet returned 400, although ${category} was accepted`,
        large,
        id,
      )
    return status === 400
      ? notApplicable(`categories are checked: ${category}, which is new too, is rejected`, large, id)
      : noEvidence(`${category} returned ${status}`, id, large)
  })(transcript)
}

/** The name ends in a space and punctuation, which CREATE-28 judges. */
function judgeScripts(judged: JudgedResponse): Finding {
  const [sent, back] = readNames(judged)
  return back.startsWith(sent.slice(0, sent.lastIndexOf(' ')))
    ? holds('the letters came back as sent')
    : broken(`the letters of ${show(sent)}`, `the name ${show(back)}`)
}

/** Judges whether a name that was sent with an end is returned with it. Later, a difference counts if two responses show it. */
function keepsEnd(id: string, end: string): Judge {
  const keeps = (name: string): boolean => name.normalize('NFC').endsWith(` ${end}`)
  return ifAccepted(id, 'name', (judged, transcript) => {
    const [sent, back] = readNames(judged)
    const expected = `the end of the name ${show(sent)}`
    if (!keeps(back)) return broken(expected, `the name ${show(back)}`)
    const later = findLater(transcript, { ...judged, pet: readPet(judged.response) })
    for (const [before, last] of [later.onPages, later.byGetPet]) {
      if (before === undefined || last === undefined || keeps(before.pet.name) || keeps(last.pet.name))
        continue
      const got = `later the name ${show(last.pet.name)}`
      return broken(expected, got, last.exchange.id, before.exchange.id, judged.id)
    }
    return holds('the end of the name is returned as sent')
  })
}

/** Returns the name that was sent and the one in the response, both in normalization form C. */
function readNames({ exchange, response }: RecordedResponse): readonly [sent: string, back: string] {
  const inNfc = (name: unknown): string => (typeof name === 'string' ? name.normalize('NFC') : '')
  return [inNfc(readSentMember(exchange, 'name')), inNfc(readMember({ response }, 'name'))]
}

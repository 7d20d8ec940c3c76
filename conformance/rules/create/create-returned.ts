import type { StepId } from '../../steps/step.ts'
import { isOrdinary, memberSent, validCreations } from '../../transcript/creations.ts'
import { isSameName, show } from '../../transcript/pets.ts'
import { isRead, isSuccess, memberOf, type RecordedResponse } from '../../transcript/responses.ts'
import type { Transcript } from '../../transcript/transcript.ts'
import { rulesOf } from '../define.ts'
import { broken, brokenAt, holds, noEvidence, notApplicable } from '../findings.ts'
import { judgeEach, placed } from '../judging.ts'
import { judgeCreation } from '../one-response.ts'
import type { Finding, Rule } from '../rule.ts'

const create = rulesOf('create')

/** How responses show the members of the bodies that were sent (sections 2 and 4.2). */
export const returnedRules: readonly Rule[] = [
  create.must(
    'CREATE-3',
    's4-2-as-sent',
    'createPet returns `name` and `categoryId` as they were sent',
    (transcript) =>
      judgeEach(
        transcript,
        validCreations(transcript)
          .filter(({ id }) => isOrdinary(id))
          .flatMap((creation) => ['name', 'categoryId'].map((member) => ({ ...creation, member })))
          .filter(({ response, member }) => memberOf({ response }, member) !== undefined),
        {
          expected: 'the name and the categoryId that were sent',
          problem: (creation) =>
            placed(memberProblem(creation, creation.member), { path: [creation.member] }),
          ifNone: 'no creation returned a name or a categoryId',
          unread: validCreations(transcript).filter(
            (creation) => isOrdinary(creation.id) && !isRead(creation),
          ),
        },
      ),
  ),
  create.must(
    'CREATE-21',
    's2-int64',
    'an int64 that a double cannot hold (9007199254740993) comes back digit for digit',
    judgeLarge,
  ),
  create.should('CREATE-23', 's2-id-assigned', 'the service assigns the id, not the body', (transcript) =>
    judgeCreation(transcript, 'create-own-id', ({ id, exchange, response }) => {
      if (response.status === 400) return noEvidence('a body with an id is rejected', id)
      if (!isSuccess(response.status)) return broken('201 or 400', `it returned ${response.status}`, id)
      const given = memberOf({ response }, 'id')
      if (typeof given !== 'bigint') return noEvidence('the response has no id: see CREATE-2', id)
      return given === memberSent(exchange, 'id')
        ? brokenAt(
            { path: ['id'] },
            'an id that the service assigned',
            `the id ${given}, which the body requested`,
            id,
          )
        : holds(`the service assigned the id ${given}`, id)
    }),
  ),
]

/** Returns what is wrong with a member of a response, as a phrase. CREATE-2 judges a missing member. */
function memberProblem({ exchange, response }: RecordedResponse, name: string): string | undefined {
  const back = memberOf({ response }, name)
  const sent = memberSent(exchange, name)
  const isSame = typeof back === 'string' ? isSameName(sent, back) : back === sent
  return back === undefined || isSame ? undefined : `has the ${name} ${show(back)} for ${show(sent)}`
}

/**
 * Judges a member of the response to a body that a deployment may reject with 400, as the interface leaves limits on names
 * and the existence of categories open.
 */
export function judgeAccepted(
  transcript: Transcript,
  id: StepId,
  name: string,
  judge: (recorded: RecordedResponse) => Finding,
  judgeRejection: () => Finding = () =>
    notApplicable('it was rejected with 400, which the interface allows', id),
): Finding {
  return judgeCreation(transcript, id, (recorded) => {
    const { status } = recorded.response
    const [accepted] = validCreations(transcript)
    if (status === 400 && accepted === undefined) return noEvidence('no valid body was accepted', id)
    if (status === 400) return judgeRejection()
    if (!isSuccess(status)) return broken('201 or 400', `it returned ${status}`, id)
    if (memberOf(recorded, name) === undefined)
      return noEvidence(`the response has no ${name}: see CREATE-2`, id)
    const plain = validCreations(transcript).find(
      (creation) => isOrdinary(creation.id) && memberProblem(creation, name),
    )
    return plain === undefined
      ? judge(recorded)
      : noEvidence(`no ${name} comes back as sent: see CREATE-3`, id, plain.id)
  })
}

/** After a 400, a new category that is small shows whether it is the size that was rejected. */
function judgeLarge(transcript: Transcript): Finding {
  const id = 'create-int64'
  return judgeAccepted(
    transcript,
    id,
    'categoryId',
    (recorded) => {
      const problem = memberProblem(recorded, 'categoryId')
      return problem === undefined
        ? holds('the categoryId came back as sent', id)
        : brokenAt({ path: ['categoryId'] }, 'the categoryId that was sent', `it ${problem}`, id)
    },
    () =>
      judgeCreation(transcript, 'create-small-category', (small) => {
        const category = show(memberSent(small.exchange, 'categoryId'))
        if (isSuccess(small.response.status)) {
          return broken('9007199254740993 accepted', `a 400, although ${category} is accepted`, id, small.id)
        }
        return small.response.status === 400
          ? notApplicable(`categories are checked: ${category}, which is new too, is rejected`, id, small.id)
          : noEvidence(`${category} returned ${small.response.status}`, small.id, id)
      }),
  )
}

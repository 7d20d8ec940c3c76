import { memberSent, validCreations } from '../transcript/creations.ts'
import { petStatuses, show } from '../transcript/pets.ts'
import { isRead, isSuccess, memberOf, type RecordedResponse } from '../transcript/responses.ts'
import type { Transcript } from '../transcript/transcript.ts'
import { rulesOf } from './define.ts'
import { broken, holds, noEvidence } from './findings.ts'
import { judgeEach } from './judging.ts'
import { judgeCreation } from './one-response.ts'
import type { Finding, Rule } from './rule.ts'

const create = rulesOf('create')

/** How responses show the members of the bodies that were sent (sections 2 and 4.2). */
export const returnedRules: readonly Rule[] = [
  create.must('CREATE-3', 's4-2-as-sent', '`name` and `categoryId` come back as sent', (transcript) =>
    judgeEach(
      transcript,
      validCreations(transcript)
        .filter(({ id }) => ordinary.includes(id))
        .flatMap((creation) => ['name', 'categoryId'].map((member) => ({ ...creation, member })))
        .filter(({ response, member }) => memberOf({ response }, member) !== undefined),
      {
        expected: 'the name and the categoryId that were sent',
        problem: (creation) => memberProblem(creation, creation.member),
        ifNone: 'no creation returned a name or a categoryId',
        unread: validCreations(transcript).filter(
          (creation) => ordinary.includes(creation.id) && !isRead(creation),
        ),
      },
    ),
  ),
  create.must(
    'CREATE-21',
    's2-int64',
    'an int64 that a double cannot hold (9007199254740993) comes back digit for digit',
    (transcript) => judgeReturned(transcript, 'create-int64', 'categoryId'),
  ),
  create.must(
    'CREATE-22',
    's2-name-text',
    'a name in several scripts, when accepted, comes back as sent',
    (transcript) => judgeReturned(transcript, 'create-scripts', 'name'),
  ),
  create.should('CREATE-23', 's2-id-assigned', 'the service assigns the id, not the body', (transcript) =>
    judgeCreation(transcript, 'create-own-id', ({ id, exchange, response }) => {
      if (response.status === 400) return noEvidence('a body with an id is rejected', id)
      if (!isSuccess(response.status)) return broken('201 or 400', `it returned ${response.status}`, id)
      const given = memberOf({ response }, 'id')
      if (typeof given !== 'bigint') return noEvidence('the response has no id: see CREATE-2', id)
      return given === memberSent(exchange, 'id')
        ? broken('an id that the service assigned', `the id ${given}, which the body requested`, id)
        : holds(`the service assigned the id ${given}`, id)
    }),
  ),
]

/** The ids of the creations whose bodies have only ordinary values. */
const ordinary: readonly string[] = [...petStatuses.map((status) => `create-${status}`), 'create-no-status']

/** Returns what is wrong with a member of a response, as a phrase. CREATE-2 judges a missing member. */
function memberProblem({ exchange, response }: RecordedResponse, name: string): string | undefined {
  const back = memberOf({ response }, name)
  const sent = memberSent(exchange, name)
  return back === undefined || back === sent ? undefined : `has the ${name} ${show(back)} for ${show(sent)}`
}

/** A 400 is no evidence: the category may not exist, and the interface leaves limits on names open. */
function judgeReturned(transcript: Transcript, id: string, name: string): Finding {
  return judgeCreation(transcript, id, (recorded) => {
    const { status } = recorded.response
    if (status === 400) return noEvidence('it was rejected with 400, which the interface allows', id)
    if (!isSuccess(status)) return broken('201 or 400', `it returned ${status}`, id)
    if (memberOf(recorded, name) === undefined)
      return noEvidence(`the response has no ${name}: see CREATE-2`, id)
    const plain = validCreations(transcript).find(
      (creation) => ordinary.includes(creation.id) && memberProblem(creation, name),
    )
    if (plain !== undefined) return noEvidence(`no ${name} comes back as sent: see CREATE-3`, id, plain.id)
    const problem = memberProblem(recorded, name)
    return problem === undefined
      ? holds(`the ${name} came back as sent`, id)
      : broken(`the ${name} that was sent`, `it ${problem}`, id)
  })
}

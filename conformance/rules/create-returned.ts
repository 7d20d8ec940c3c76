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

/** What comes back of what was sent (sections 2 and 4.2). */
export const returnedRules: readonly Rule[] = [
  create.must('CREATE-3', '4.2', '`name` and `categoryId` come back as sent', (transcript) =>
    judgeEach(
      transcript,
      validCreations(transcript)
        .filter(({ id }) => ordinary.includes(id))
        .flatMap((creation) => ['name', 'categoryId'].map((member) => ({ ...creation, member })))
        .filter(({ response, member }) => memberOf({ response }, member) !== undefined),
      {
        expected: 'the name and the categoryId that were sent',
        fault: (creation) => memberProblem(creation, creation.member),
        ifNone: 'no creation returned a name or a categoryId',
        unread: validCreations(transcript).filter(
          (creation) => ordinary.includes(creation.id) && !isRead(creation),
        ),
      },
    ),
  ),
  create.must(
    'CREATE-21',
    '2',
    'an int64 that a double cannot hold (9007199254740993) comes back digit for digit',
    (transcript) => judgeReturned(transcript, 'create-int64', 'categoryId'),
  ),
  create.must(
    'CREATE-22',
    '2',
    'a name in several scripts, when accepted, comes back as sent',
    (transcript) => judgeReturned(transcript, 'create-scripts', 'name'),
  ),
  create.should('CREATE-23', '2', 'the service assigns the id, not the body', (transcript) =>
    judgeCreation(transcript, 'create-own-id', ({ id, exchange, response }) => {
      if (response.status === 400) return noEvidence('a body with an id is rejected', id)
      if (!isSuccess(response.status)) return broken('201 or 400', `returned ${response.status}`, id)
      const given = memberOf({ response }, 'id')
      if (typeof given !== 'bigint') return noEvidence('the response has no id: see CREATE-2', id)
      return given === memberSent(exchange, 'id')
        ? broken('an id of the service’s own', `it has the id ${given} that the body asked for`, id)
        : holds(`it was given the id ${given}`, id)
    }),
  ),
]

/** The creations with nothing unusual in them. */
const ordinary: readonly string[] = [...petStatuses.map((status) => `create-${status}`), 'create-no-status']

/** What is wrong with a member that came back; one that did not is CREATE-2's to judge. */
function memberProblem({ exchange, response }: RecordedResponse, name: string): string | undefined {
  const back = memberOf({ response }, name)
  const sent = memberSent(exchange, name)
  return back === undefined || back === sent ? undefined : `has the ${name} ${show(back)} for ${show(sent)}`
}

/** A 400 is no evidence: the category may be unknown there, and limits on names are a gap. */
function judgeReturned(transcript: Transcript, id: string, name: string): Finding {
  return judgeCreation(transcript, id, (recorded) => {
    const { status } = recorded.response
    if (status === 400) return noEvidence('it was rejected with 400, as the spec allows', id)
    if (!isSuccess(status)) return broken('201 or 400', `returned ${status}`, id)
    if (memberOf(recorded, name) === undefined)
      return noEvidence(`the response has no ${name}: see CREATE-2`, id)
    const plain = validCreations(transcript).find(
      (creation) => ordinary.includes(creation.id) && memberProblem(creation, name),
    )
    if (plain !== undefined) return noEvidence(`no ${name} comes back as sent: see CREATE-3`, id, plain.id)
    const fault = memberProblem(recorded, name)
    return fault === undefined
      ? holds(`the ${name} came back as sent`, id)
      : broken(`the ${name} that was sent`, `it ${fault}`, id)
  })
}

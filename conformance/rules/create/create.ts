import type { StepId } from '../../steps/step.ts'
import { creations, isOrdinary, validCreations } from '../../transcript/creations.ts'
import { isObject, type Json } from '../../transcript/json.ts'
import { pages } from '../../transcript/pages.ts'
import { petFault, petProblem, petStatuses, show, statusProblem } from '../../transcript/pets.ts'
import { isRead, isSuccess, jsonOf, placeOf } from '../../transcript/responses.ts'
import { type Exchange, requestName, type Transcript } from '../../transcript/transcript.ts'
import { rulesOf } from '../define.ts'
import { broken, brokenAt, holds, noEvidence } from '../findings.ts'
import { judgeEach, judgeTypes, nothingToJudge, placed, worst } from '../judging.ts'
import { judgeCreation } from '../one-response.ts'
import type { Finding, Rule } from '../rule.ts'

const create = rulesOf('create')

/** Sections 2, 3 and 4.2: valid bodies, and their responses. */
export const createRules: readonly Rule[] = [
  create.must('CREATE-1', 's4-2-created', 'createPet with a valid body returns 201', (transcript) =>
    judgeCreation(transcript, 'create-available', ({ id, response: { status } }) => {
      const isOpen = status === 400 && transcript.categoryId === undefined
      if (isOpen && !ordinaryAccepted(transcript)) {
        return noEvidence('no valid body was accepted, perhaps because of its category', id)
      }
      // CREATE-4 judges that one status is rejected
      if (!isSuccess(status) && !isOpen) return broken('status 201', `it returned ${status}`, id)
      return judgeEach(transcript, validCreations(transcript), {
        expected: 'status 201',
        problem: ({ response }) => (response.status === 201 ? undefined : `returned ${response.status}`),
        ifNone: 'no creation was accepted',
      })
    }),
  ),
  create.must('CREATE-2', 's4-2-pet', 'createPet returns a Pet with an `id`', (transcript) =>
    judgeEach(transcript, validCreations(transcript).filter(isRead), {
      expected: 'a Pet with an id',
      problem: ({ response }) => {
        const body = jsonOf(response)
        const fault = body === undefined ? { text: 'is no JSON' } : petFault(body)
        return placed(fault && `has a body that ${fault.text}`, {
          path: fault?.member === undefined ? [] : [fault.member],
        })
      },
      ifNone: 'no creation was accepted',
      unread: validCreations(transcript).filter((creation) => !isRead(creation)),
    }),
  ),
  create.must(
    'CREATE-4',
    's3-status-on-creation',
    'createPet accepts `available`, `pending` and `sold`, and returns none as another',
    (transcript) => worst(petStatuses.map((status) => judgeAccepted(transcript, `create-${status}`, status))),
  ),
  create.must(
    'CREATE-5',
    's3-status-optional',
    'createPet accepts a body without `status`, and returns none or a PetStatus',
    (transcript) => judgeAccepted(transcript, 'create-no-status'),
  ),
  create.must(
    'CREATE-6',
    's2-id-unique',
    'no two animals get the same id, and no new one an id already listed',
    judgeIds,
  ),
  create.must(
    'CREATE-25',
    's4-json',
    'a success of createPet has the content type `application/json`',
    (transcript) => judgeTypes(transcript, validCreations(transcript), 'no creation was accepted'),
  ),
]

/** Whether a body was accepted that differs from the other ordinary ones only in its status and the end of its name. */
function ordinaryAccepted(transcript: Transcript): boolean {
  return validCreations(transcript).some(({ id }) => isOrdinary(id))
}

function judgeAccepted(transcript: Transcript, id: StepId, status?: Json): Finding {
  return judgeCreation(transcript, id, (recorded) => {
    if (!isSuccess(recorded.response.status)) {
      const { status } = recorded.response
      return status !== 400 || ordinaryAccepted(transcript)
        ? broken('status 201', `${requestName(recorded.exchange)} returned ${status}`, id)
        : noEvidence('no ordinary body was accepted: see CREATE-1', id)
    }
    const body = jsonOf(recorded.response)
    if (!isObject(body) || petProblem(body) !== undefined)
      return noEvidence('the response is not a Pet: see CREATE-2', id)
    const back = body.get('status')
    const problem =
      statusProblem(body) ??
      (back === undefined || status === undefined || back === status
        ? undefined
        : `has the status ${show(back)}`)
    return problem === undefined
      ? holds('it is accepted', id)
      : brokenAt(
          { path: ['status'] },
          status === undefined ? 'a PetStatus or none' : `the status ${show(status)} or none`,
          `${requestName(recorded.exchange)} ${problem}`,
          id,
        )
  })
}

function judgeIds(transcript: Transcript): Finding {
  const made = creations(transcript).flatMap(({ id, exchange, pet }) =>
    pet === undefined ? [] : [{ id, exchange, pet }],
  )
  const seen = new Map<bigint, Exchange>()
  for (const { exchange, pets } of pages(transcript)) {
    for (const { id } of pets) if (!seen.has(id)) seen.set(id, exchange)
  }
  const twins = new Map<bigint, string>()
  const taken = made.flatMap(({ id, exchange, pet }) => {
    const page = seen.get(pet.id)
    const isListed = page !== undefined && placeOf(transcript, page) < placeOf(transcript, exchange)
    const other = twins.get(pet.id) ?? (isListed ? page.id : undefined)
    if (!twins.has(pet.id)) twins.set(pet.id, id)
    return other === undefined ? [] : [{ id, other, petId: pet.id }]
  })
  const [first] = taken
  if (first !== undefined) {
    return broken(
      'a new id',
      `the id ${first.petId} in ${first.id} and in ${first.other}`,
      first.id,
      first.other,
    )
  }
  return made.length > 1
    ? holds(`${made.length} new animals have different ids`, ...made.map(({ id }) => id))
    : nothingToJudge(transcript, 'fewer than two creations returned a Pet')
}

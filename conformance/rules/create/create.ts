import { invalidSteps } from '../../steps/steps-create.ts'
import { creations, isOrdinary, isRepetition, validCreations } from '../../transcript/creations.ts'
import { isObject, type Json } from '../../transcript/json.ts'
import { pages } from '../../transcript/pages.ts'
import { findPetFault, findStatusProblem, petStatuses, show } from '../../transcript/pets.ts'
import { findPlace, isRead, isSuccess, parseBody } from '../../transcript/responses.ts'
import { type Exchange, formatRequestName, type Transcript } from '../../transcript/transcript.ts'
import {
  broken,
  brokenAt,
  eachOf,
  holds,
  judgeTypes,
  noEvidence,
  nothingToJudge,
  onCreation,
  worstOf,
} from '../judging.ts'
import { type Family, type Finding, type Judge, must, type StatedRule, should } from '../rule.ts'

/** Sections 2, 3 and 4.2: valid bodies, and their responses. */
export const createRules: Family = {
  'CREATE-1 s4-2-created': must.create(
    'createPet with a valid body returns 201',
    onCreation('create-available', ({ status }, transcript) => {
      const isOpen = status === 400 && transcript.categoryId === undefined
      if (isOpen && !ordinaryAccepted(transcript))
        return noEvidence('no valid body was accepted, perhaps because of its category')
      // CREATE-4 judges that one status is rejected
      if (!isSuccess(status) && !isOpen) return broken('status 201', `it returned ${status}`)
      return eachOf(validCreations, {
        expected: 'status 201',
        problem: ({ response }) => response.status !== 201 && `returned ${response.status}`,
        ifNone: 'no creation was accepted',
      })(transcript)
    }),
  ),
  'CREATE-2 s4-2-pet': must.create(
    'createPet returns a Pet with an `id`',
    eachOf((transcript) => validCreations(transcript).filter(isRead), {
      expected: 'a Pet with an id',
      problem: ({ response }) => {
        const body = parseBody(response)
        const fault = body === undefined ? { text: 'is not JSON' } : findPetFault(body)
        const path = fault?.member === undefined ? [] : [fault.member]
        return fault && { text: `has a body that ${fault.text}`, at: { path } }
      },
      ifNone: 'no creation was accepted',
      containedIn: validCreations,
    }),
  ),
  'CREATE-4 s3-status-on-creation': must.create(
    'createPet accepts `available`, `pending` and `sold`, and returns none as another',
    worstOf(...petStatuses.map((status) => accepted(`create-${status}`, status))),
  ),
  'CREATE-5 s3-status-optional': must.create(
    'createPet accepts a body without `status`, and returns none or a PetStatus',
    accepted('create-no-status'),
  ),
  'CREATE-6 s2-id-unique': must.create(
    'no two animals get the same id, and no new one an id already listed',
    judgeIds,
  ),
  'CREATE-25 s4-json': must.create(
    'a success of createPet has the content type `application/json`',
    judgeTypes(validCreations, 'no creation was accepted'),
  ),
}

/**
 * Returns whether a body was accepted that differs from the other ordinary ones only in its status and the end of its
 * name.
 */
function ordinaryAccepted(transcript: Transcript): boolean {
  return validCreations(transcript).some(({ id }) => isOrdinary(id))
}

function accepted(id: string, sent?: Json): Judge {
  return onCreation(id, ({ exchange, response, status }, transcript) => {
    if (!isSuccess(status)) {
      return status !== 400 || ordinaryAccepted(transcript)
        ? broken('status 201', `${formatRequestName(exchange)} returned ${status}`)
        : noEvidence('no ordinary body was accepted: see CREATE-1')
    }
    const body = parseBody(response)
    if (!isObject(body) || findPetFault(body) !== undefined)
      return noEvidence('the response is not a Pet: see CREATE-2')
    const back = body.get('status')
    const isOther = back !== undefined && sent !== undefined && back !== sent
    const problem = findStatusProblem(body) ?? (isOther ? `has the status ${show(back)}` : undefined)
    if (problem === undefined) return holds('it is accepted')
    const expected = sent === undefined ? 'a PetStatus or none' : `the status ${show(sent)} or none`
    return brokenAt({ path: ['status'] }, expected, `${formatRequestName(exchange)} ${problem}`)
  })
}

function judgeIds(transcript: Transcript): Finding {
  // a repetition may return the animal of a creation whose response was lost
  const made = creations(transcript).flatMap(({ id, exchange, pet }) =>
    pet === undefined || isRepetition(id) ? [] : [{ id, exchange, pet }],
  )
  const listed = new Map<bigint, Exchange>()
  for (const { exchange, pets } of pages(transcript)) {
    for (const { id } of pets) if (!listed.has(id)) listed.set(id, exchange)
  }
  const twins = new Map<bigint, string>()
  for (const { id, exchange, pet } of made) {
    const page = listed.get(pet.id)
    const isListed = page !== undefined && findPlace(transcript, page) < findPlace(transcript, exchange)
    const other = twins.get(pet.id) ?? (isListed ? page.id : undefined)
    if (other !== undefined) return broken('a new id', `the id ${pet.id} in ${id} and in ${other}`, id, other)
    twins.set(pet.id, id)
  }
  return made.length > 1
    ? holds(`${made.length} new animals have different ids`, ...made.map(({ id }) => id))
    : nothingToJudge(transcript, 'fewer than two creations returned a Pet')
}

/** Section 4.2: what a body is rejected for. The steps have the bodies. */
const invalidBodies: Readonly<Record<keyof Family, readonly [level: typeof must, what: string]>> = {
  'CREATE-9 s4-2-required-fields': [must, 'the body `{}`'],
  'CREATE-10 s4-2-required-fields': [must, 'no `name`'],
  'CREATE-11 s4-2-required-fields': [must, 'no `categoryId`'],
  'CREATE-12 s4-2-invalid-name': [must, 'a `name` that is not a string'],
  'CREATE-13 s4-2-invalid-category': [
    must,
    'a string (also an empty one), `true` or `false` as `categoryId`',
  ],
  'CREATE-14 s4-2-invalid-category': [must, 'a fraction as `categoryId`'],
  'CREATE-15 s4-2-invalid-status': [must, 'an unknown `status`, one in capitals (`SOLD`) or an empty one'],
  'CREATE-16 s4-2-not-json': [must, 'malformed JSON, a trailing comma, or text behind a valid document'],
  'CREATE-17 s4-2-no-body': [must, 'no body'],
  'CREATE-18 s4-2-not-an-object': [must, 'JSON that is not an object (an array, `null`, a number, a string)'],
  'CREATE-19 s4-2-null': [must, '`null` for both required fields, or for one of them'],
  'CREATE-20 s4-2-invalid-category': [must, 'a `categoryId` beyond int64, above or below'],
  'CREATE-27 s4-2-status-type': [should, 'a `status` of `null` or of a number'],
}

/** Section 4.2: invalid bodies. Each one returns 400. */
export const invalidBodyRules: Family = Object.fromEntries(
  Object.entries(invalidBodies).map(([name, [level, what]]) => [name, rejects(level, what, name)]),
)

/** States that each body returns 400. If no valid body is accepted, a 400 proves nothing: it may have another cause. */
function rejects(level: typeof must, what: string, name: string): StatedRule {
  const bodies = invalidSteps.filter(({ rule }) => rule === name.split(' ')[0])
  const judges = bodies.map((step) =>
    onCreation(step.id, ({ id, exchange, status }, transcript) => {
      if (status !== 400) return broken('status 400', `${formatRequestName(exchange)} returned ${status}`)
      const [accepted] = validCreations(transcript)
      return accepted === undefined
        ? noEvidence('no valid body was accepted, so the 400 is no evidence')
        : holds('it was rejected with 400', id, accepted.id)
    }),
  )
  return level.create(`createPet with ${what} returns 400`, worstOf(...judges))
}

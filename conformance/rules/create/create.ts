import { invalidSteps } from '../../steps/steps-create.ts'
import {
  isParallelStep,
  isRepeatStep,
  listCreations,
  listValidCreations,
  readSentMember,
} from '../../transcript/creations.ts'
import { isObject, type Json } from '../../transcript/json.ts'
import { parsePages } from '../../transcript/pages.ts'
import { findPetProblem, findStatusProblem, formatValue, petStatuses } from '../../transcript/pets.ts'
import {
  describeInvalidJson,
  hasReadableBody,
  indexOfExchange,
  isSuccess,
  parseBody,
} from '../../transcript/responses.ts'
import { type Exchange, formatRequestName, type Transcript } from '../../transcript/transcript.ts'
import {
  broken,
  brokenAt,
  explainMissingEvidence,
  holds,
  judgeAll,
  judgeContentTypes,
  judgeCreation,
  judgeEach,
  noEvidence,
} from '../judging.ts'
import { type Finding, type Judge, must, type RuleDefinition, type RuleFamily, should } from '../rule.ts'

/** Rules about valid creations (sections 2, 3 and 4.2). */
export const createRules: RuleFamily = {
  'CREATE-1 s4-2-created': must.create(
    'createPet with a valid body returns 201',
    judgeCreation('create-available', ({ exchange, status }, transcript) => {
      const isOpen = status === 400 && transcript.categoryId === undefined
      if (isOpen && !isCategoryAccepted(transcript, exchange))
        return noEvidence('the server accepted no valid body, perhaps because of the category')
      // A server that rejects only this status is judged by CREATE-4.
      if (!isSuccess(status) && !isOpen) return broken('status 201', `createPet returned ${status}`)
      return judgeEach(listValidCreations, {
        expected: 'status 201',
        findProblem: ({ response }) => response.status !== 201 && `returned ${response.status}`,
        reasonIfNone: 'no creation was accepted',
      })(transcript)
    }),
  ),
  'CREATE-2 s4-2-pet': must.create(
    'createPet returns a Pet with an `id`',
    judgeEach((transcript) => listValidCreations(transcript).filter(hasReadableBody), {
      expected: 'a Pet with an id',
      findProblem: ({ response }) => {
        const body = parseBody(response)
        const petProblem = body === undefined ? { text: describeInvalidJson(response) } : findPetProblem(body)
        const memberPath = petProblem?.member === undefined ? [] : [petProblem.member]
        return petProblem && { text: `has a body that ${petProblem.text}`, at: { path: memberPath } }
      },
      reasonIfNone: 'no creation was accepted',
      sources: listValidCreations,
    }),
  ),
  'CREATE-4 s3-status-on-creation': must.create(
    'createPet accepts `available`, `pending` and `sold`, and never returns one as another',
    judgeAll(...petStatuses.map((status) => judgeStatus(status))),
  ),
  'CREATE-5 s3-status-optional': must.create(
    'createPet accepts a body without `status`, and returns no status or a PetStatus',
    judgeStatus(undefined),
  ),
  'CREATE-6 s2-id-unique': must.create(
    'no two animals get the same id, and no new animal gets a listed id',
    judgeNewIds,
  ),
  'CREATE-25 s4-json': must.create(
    'a successful createPet response has the content type `application/json`',
    judgeContentTypes(listValidCreations, 'no creation was accepted'),
  ),
}

function isCategoryAccepted(transcript: Transcript, exchange: Exchange): boolean {
  const readCategory = (one: Exchange): Json | undefined => readSentMember(one, 'categoryId')
  return listValidCreations(transcript).some((one) => readCategory(one.exchange) === readCategory(exchange))
}

/**
 * Creates a judge for the first accepted creation with this status or, if there is none, for the step that sends it.
 * `undefined` stands for a body without a status.
 */
function judgeStatus(sent: string | undefined): Judge {
  return (transcript) => {
    const creationWithStatus = listValidCreations(transcript).find(
      ({ exchange }) => readSentMember(exchange, 'status') === sent,
    )
    return judgeReturnedStatus(creationWithStatus?.id ?? `create-${sent ?? 'no-status'}`, sent)(transcript)
  }
}

function judgeReturnedStatus(id: string, sent: Json | undefined): Judge {
  return judgeCreation(id, ({ exchange, response, status }, transcript) => {
    if (!isSuccess(status)) {
      return status !== 400 || isCategoryAccepted(transcript, exchange)
        ? broken('status 201', `${formatRequestName(exchange)} returned ${status}`)
        : noEvidence('no body with this category was accepted: see CREATE-1')
    }
    const body = parseBody(response)
    if (!isObject(body) || findPetProblem(body) !== undefined)
      return noEvidence('the response is not a Pet: see CREATE-2')
    const returnedStatus = body.get('status')
    const isOtherStatus = returnedStatus !== undefined && sent !== undefined && returnedStatus !== sent
    const problem =
      findStatusProblem(body) ?? (isOtherStatus ? `has the status ${formatValue(returnedStatus)}` : undefined)
    if (problem === undefined) return holds('the status is accepted')
    const expected =
      sent === undefined ? 'a PetStatus, or no status' : `the status ${formatValue(sent)}, or no status`
    return brokenAt({ path: ['status'] }, expected, `${formatRequestName(exchange)} ${problem}`)
  })
}

function judgeNewIds(transcript: Transcript): Finding {
  // A repeated request may return the animal of a creation whose response was lost. CREATE-29 judges parallel
  // creations.
  const newAnimals = listCreations(transcript).flatMap(({ id, exchange, pet }) =>
    pet === undefined || isRepeatStep(id) || isParallelStep(id) ? [] : [{ id, exchange, pet }],
  )
  const exchangesByListedId = new Map<bigint, Exchange>()
  for (const { exchange, pets } of parsePages(transcript)) {
    for (const { id } of pets) if (!exchangesByListedId.has(id)) exchangesByListedId.set(id, exchange)
  }
  const creationsByNewId = new Map<bigint, string>()
  for (const { id, exchange, pet } of newAnimals) {
    const listingExchange = exchangesByListedId.get(pet.id)
    const isListed =
      listingExchange !== undefined &&
      indexOfExchange(transcript, listingExchange) < indexOfExchange(transcript, exchange)
    const exchangeWithSameId = creationsByNewId.get(pet.id) ?? (isListed ? listingExchange.id : undefined)
    if (exchangeWithSameId !== undefined) {
      const actualIds = `the id ${pet.id} in ${id} and in ${exchangeWithSameId}`
      return broken('an id that no other animal has', actualIds, id, exchangeWithSameId)
    }
    creationsByNewId.set(pet.id, id)
  }
  return newAnimals.length > 1
    ? holds(`${newAnimals.length} new animals have different ids`, ...newAnimals.map(({ id }) => id))
    : explainMissingEvidence(transcript, 'fewer than two creations returned a Pet')
}

/** The mistake in each invalid body, and the level of the rule that judges it. */
const invalidBodies: Readonly<Record<keyof RuleFamily, readonly [level: typeof must, what: string]>> = {
  'CREATE-9 s4-2-required-fields': [must, 'the body `{}`'],
  'CREATE-10 s4-2-required-fields': [must, 'no `name`'],
  'CREATE-11 s4-2-required-fields': [must, 'no `categoryId`'],
  'CREATE-12 s4-2-invalid-name': [must, 'a `name` that is not a string'],
  'CREATE-13 s4-2-invalid-category': [
    must,
    'a string (even an empty one), `true` or `false` as `categoryId`',
  ],
  'CREATE-14 s4-2-invalid-category': [must, 'a fraction as `categoryId`'],
  'CREATE-15 s4-2-invalid-status': [must, 'an unknown, uppercase (`SOLD`) or empty `status`'],
  'CREATE-16 s4-2-not-json': [must, 'malformed JSON, a trailing comma, or text after a valid document'],
  'CREATE-17 s4-2-no-body': [must, 'no body'],
  'CREATE-18 s4-2-not-an-object': [must, 'JSON that is not an object (an array, `null`, a number, a string)'],
  'CREATE-19 s4-2-null': [must, '`null` for one or both required fields'],
  'CREATE-20 s4-2-invalid-category': [must, 'a `categoryId` above or below int64'],
  'CREATE-27 s4-2-status-type': [should, '`null` or a number as `status`'],
}

/** Rules about invalid bodies (section 4.2). */
export const invalidBodyRules: RuleFamily = Object.fromEntries(
  Object.entries(invalidBodies).map(([name, [level, what]]) => [
    name,
    defineRejectionRule(level, what, name),
  ]),
)

function defineRejectionRule(level: typeof must, what: string, name: string): RuleDefinition {
  const invalidBodySteps = invalidSteps.filter(({ rule }) => rule === name.split(' ')[0])
  const bodyJudges = invalidBodySteps.map((step) =>
    judgeCreation(step.id, ({ id, exchange, status }, transcript) => {
      if (status !== 400) return broken('status 400', `${formatRequestName(exchange)} returned ${status}`)
      const [accepted] = listValidCreations(transcript)
      return accepted === undefined
        ? noEvidence('no valid body was accepted, so the 400 proves nothing')
        : holds('the body was rejected with 400', id, accepted.id)
    }),
  )
  return level.create(`createPet with ${what} returns 400`, judgeAll(...bodyJudges))
}

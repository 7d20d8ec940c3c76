import { catalogue } from '../rules/catalogue.ts'
import type { Finding } from '../rules/rule.ts'
import { writeCredential } from '../run/secrets.ts'
import { createPhases } from '../steps/phases.ts'
import { exhaustsLimit, type Profile } from '../steps/profile.ts'
import type { LearnedFacts, Step } from '../steps/step.ts'
import { creatingSteps } from '../steps/steps-create.ts'
import { createBurnStep, createLimitSteps, parallelLimitGroup, stepAfterBurn } from '../steps/steps-read.ts'
import { isObject } from '../transcript/json.ts'
import { readJson } from '../transcript/json-reader.ts'
import { isOutsideInterface } from '../transcript/responses.ts'
import type { Exchange, Outcome, ReceivedResponse, Transcript } from '../transcript/transcript.ts'

export interface Animal {
  readonly id: number
  readonly name: string
  readonly categoryId: number | bigint
  readonly status?: string
}

/** Changes to the usual response, an error instead, or a missing exchange. */
export type ScriptedResponse = Partial<ReceivedResponse> | { readonly error: string } | 'left out'
/** Responses by step ID. */
export type Script = Readonly<Record<string, ScriptedResponse>>

const statuses = ['available', 'pending', 'sold']

/** The listed animals, with each status in turn. */
export const animals: readonly Animal[] = Array.from({ length: 25 }, (_, n) => ({
  id: n + 1,
  name: `Pet ${n + 1}`,
  categoryId: (n % 3) + 1,
  status: statuses[n % 3] ?? '',
}))

/** The animal that `get-listed` requests. */
export const requestedAnimal: Animal = animals[6] ?? { id: 0, name: '', categoryId: 0 }
export const firstNewId = 101
/** The animal with the large category. */
export const createdPet: Animal = {
  id: firstNewId + 1,
  name: 'Testabcd big',
  categoryId: 9007199254740993n,
  status: 'sold',
}

const knownFacts: LearnedFacts = {
  marker: 'Testabcd',
  unknownId: '9000000000000000000',
  idInBody: '20000000000000',
  petId: String(requestedAnimal.id),
  categoryId: '1',
  unlistedCategoryId: '123456789',
  status: 'pending',
  firstPetId: '1',
  lastPetId: '25',
  wrappedId: '4294967303',
  statusDecides: true,
  filteredPageWasSent: true,
  newStatus: 'sold',
  otherCaseIsAccepted: true,
  largeCategoryIsRejected: false,
  firstCreationIsAccepted: true,
  acceptedStatuses: ['available', 'pending', 'sold', undefined],
  parallelIds: [],
  createdId: String(createdPet.id),
  unshownStepIds: [],
  throttleKeyHasLetters: true,
}

/** The steps of `read` that list pages. */
const pageSteps = createPhases('read').beforeBurn.flatMap(({ id, credential, target }) => {
  const [path, query] = target(knownFacts).split('?')
  const { limit = '20', status = 'sold' } = Object.fromEntries(new URLSearchParams(query))
  const isValid = /^([1-9]\d?|100)$/.test(limit) && statuses.includes(status)
  const isKeyed = credential === 'key' || credential === 'key-other-case'
  return path === '/pets' && isKeyed && isValid ? [{ id, query: query ?? '' }] : []
})

export const pageStepIds: readonly string[] = pageSteps.map(({ id }) => id)
export const unfilteredPageStepIds: readonly string[] = pageSteps.flatMap(({ id, query }) =>
  query.includes('status') ? [] : [id],
)

/** The steps of `read` with the main key. */
export const keyStepIds: readonly string[] = createPhases('read').beforeBurn.flatMap(
  ({ id, credential, when }) => (credential === 'key' && when?.holds(knownFacts) !== false ? [id] : []),
)
export const otherStepIds: readonly string[] = [
  ...createPhases('read').beforeBurn,
  ...createPhases('read').afterBurn,
].flatMap(({ id, credential }) => (credential === 'key' ? [] : [id]))

export const validCreationIds: readonly string[] = creatingSteps.flatMap(({ id, isAlternative }) =>
  isAlternative ? [] : [id],
)

/** Gives several steps the same response. */
export function scriptEach(ids: readonly string[], scripted: ScriptedResponse): Script {
  return Object.fromEntries(ids.map((id) => [id, scripted]))
}

/** Creates the usual headers, with changes. `undefined` removes a header. */
export function createHeaders(
  more: Readonly<Record<string, string | undefined>> = {},
): ReceivedResponse['headers'] {
  const headersByName = {
    'content-type': 'application/json',
    date: 'Fri, 20 Nov 2026 12:00:00 GMT',
    'x-ratelimit-limit': '60',
    'x-ratelimit-remaining': '59',
    'x-ratelimit-reset': '1795176060',
    ...more,
  }
  return Object.entries(headersByName).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  )
}

/** Creates a JSON response. A bigint is written with all its digits. */
export function scriptJson(status: number, body: unknown): Partial<ReceivedResponse> {
  const text = JSON.stringify(body, (_, value) => (typeof value === 'bigint' ? `int64 ${value}` : value))
  return { status, body: text.replace(/"int64 (-?\d+)"/g, '$1') }
}

export function scriptError(status: number): Partial<ReceivedResponse> {
  return scriptJson(status, { code: 'e', message: 'No.', status })
}

/** Creates a transcript from a deployment that conforms, with changes. Requests are 10 ms apart. */
export function buildTranscript(
  profile: Profile,
  script: Script = {},
  more: Partial<Transcript> = {},
): Transcript {
  const { beforeBurn, afterBurn } = createPhases(profile)
  const steps = [...beforeBurn, ...(exhaustsLimit(profile) ? burnSteps : []), ...afterBurn].filter(
    ({ id, when }) => script[id] !== undefined || when?.holds(knownFacts) !== false,
  )
  const deployment = createResponder()
  const exchanges = steps.flatMap((step, place) => {
    // Parallel steps are sent at the same time.
    const sentIndex = step.group === undefined ? place : steps.findIndex(({ group }) => group === step.group)
    const scriptedResponse = script[step.id] ?? {}
    const response = deployment(step, place)
    if (scriptedResponse === 'left out') return []
    if ('error' in scriptedResponse)
      return [createExchange(step, sentIndex, { error: scriptedResponse.error })]
    return [createExchange(step, sentIndex, { response: { ...response, ...scriptedResponse } })]
  })
  return {
    target: { baseUrl: 'https://pets.test/v1' },
    profile,
    startedAt: '2026-11-20T12:00:00.000Z',
    now: '2026-11-20T12:00:00.000Z',
    durationMs: steps.length * 10,
    marker: knownFacts.marker,
    exchanges,
    ...more,
  }
}

/** Gives each exchange its own time, as if nothing was sent in parallel. */
export function toSequential({ exchanges }: Transcript): readonly Exchange[] {
  return exchanges.map((exchange, n) => ({ ...exchange, at: n * 10 }))
}

/** Judges one rule. */
export function judgeRule(
  id: string,
  profile: Profile,
  script: Script = {},
  more: Partial<Transcript> = {},
): Finding {
  const rule = catalogue.find((candidate) => candidate.id === id)
  if (rule === undefined) throw new Error(`unknown rule ${id}`)
  return rule.judge(buildTranscript(profile, script, more))
}

const burnSteps: readonly Step[] = [
  ...([1, 2, 3] as const).map((n) => createBurnStep(`burn-${n}`)),
  ...createLimitSteps(15),
  createBurnStep('burn-4'),
  stepAfterBurn,
  createBurnStep('after-burn'),
  createBurnStep('after-reset'),
]

function createExchange(step: Step, n: number, outcome: Outcome): Exchange {
  const { headers, query } = writeCredential(step.credential)
  const body = step.body?.(knownFacts)
  return {
    id: step.id,
    credential: step.credential,
    at: n * 10,
    ...(step.sameConnection && { sameConnection: true }),
    ...(step.group !== undefined && { group: step.group }),
    request: {
      method: step.method,
      target: step.target(knownFacts) + query,
      headers,
      ...(body !== undefined && { body }),
    },
    ...outcome,
  }
}

/** Creates a deployment that responds to steps and stores what they create. */
function createResponder(): (step: Step, n: number) => ReceivedResponse {
  const storedAnimals = [...animals]
  return (step, n) => {
    const isKeyed = step.credential === 'key' || step.credential === 'key-other-case'
    // The window starts again when no requests remain.
    const limitHeaders = { 'x-ratelimit-remaining': String(59 - (n % 60)) }
    if (step.credential === 'throttle-key') return respondToBurn(step.id, storedAnimals)
    if (!isKeyed) return createResponse(scriptError(401), { ...limitHeaders, 'www-authenticate': 'Bearer' })
    if (isOutsideInterface(step.id))
      return createResponse(scriptError(step.method === 'POST' ? 405 : 404), limitHeaders)
    if (step.method === 'POST') return createResponse(respondToCreate(step, storedAnimals), limitHeaders)
    return createResponse(
      step.target(knownFacts).startsWith('/pets/')
        ? respondToGet(step, storedAnimals)
        : respondToList(step, storedAnimals),
      limitHeaders,
    )
  }
}

function createResponse(
  response: Partial<ReceivedResponse>,
  more: Readonly<Record<string, string | undefined>>,
): ReceivedResponse {
  return {
    status: 200,
    headers: createHeaders(more),
    body: '',
    utf8: true,
    truncated: false,
    ms: 1,
    ...response,
  }
}

function respondToList(step: Step, all: readonly Animal[]): Partial<ReceivedResponse> {
  const query = new URLSearchParams(step.target(knownFacts).split('?')[1])
  const limit = Number(query.get('limit') ?? 20)
  const status = query.get('status')
  if (!(limit >= 1 && limit <= 100) || (status !== null && !statuses.includes(status)))
    return scriptError(400)
  const matchingAnimals = all.filter((animal) => status === null || animal.status === status)
  return scriptJson(200, matchingAnimals.slice(0, limit))
}

function respondToGet(step: Step, all: readonly Animal[]): Partial<ReceivedResponse> {
  const id = step.target(knownFacts).slice('/pets/'.length)
  const animal = all.find((candidate) => String(candidate.id) === id)
  return animal === undefined ? scriptError(404) : scriptJson(200, animal)
}

function respondToCreate(step: Step, all: Animal[]): Partial<ReceivedResponse> {
  if (step.creates === 'invalid') return scriptError(400)
  const firstCreation = all.find(({ name }) => name === `${knownFacts.marker} ava`)
  if (step.id === 'create-again' && firstCreation !== undefined) return scriptJson(201, firstCreation)
  const body = readJson(step.body?.(knownFacts) ?? '')
  if (!isObject(body)) return scriptError(400)
  const categoryId = body.get('categoryId')
  if (typeof categoryId !== 'bigint') return scriptError(400)
  const animal: Animal = {
    id: firstNewId + all.length - animals.length,
    name: String(body.get('name')),
    categoryId,
    status: String(body.get('status') ?? 'available'),
  }
  all.push(animal)
  return scriptJson(201, animal)
}

function respondToBurn(id: string, all: readonly Animal[]): ReceivedResponse {
  const remaining = { 'burn-1': '2', 'burn-2': '1', 'burn-3': '0', 'burn-4': '0' }[id] ?? '2'
  const limitHeaders = { 'x-ratelimit-limit': '3', 'x-ratelimit-remaining': remaining }
  if (id === 'burn-4' || id.startsWith(parallelLimitGroup))
    return createResponse(scriptError(429), { ...limitHeaders, 'retry-after': '30' })
  return createResponse(scriptJson(200, all.slice(0, 1)), limitHeaders)
}

import { catalogue } from '../rules/catalogue.ts'
import type { Finding } from '../rules/rule.ts'
import { carry } from '../run/secrets.ts'
import { createPhases } from '../steps/phases.ts'
import { burns, type Profile } from '../steps/profile.ts'
import type { Known, Step } from '../steps/step.ts'
import { creatingSteps } from '../steps/steps-create.ts'
import { burnStep, stepAfterBurn } from '../steps/steps-read.ts'
import { isObject } from '../transcript/json.ts'
import { readJson } from '../transcript/json-reader.ts'
import { isOutside } from '../transcript/responses.ts'
import type { Exchange, ReceivedResponse, Transcript } from '../transcript/transcript.ts'

/** An animal as a test writes it: with numbers that a double holds. */
export interface Animal {
  readonly id: number
  readonly name: string
  readonly categoryId: number | bigint
  readonly status?: string
}

/** The replacement of an exchange: members of its response and leftover bytes, an error, or no exchange. */
export type Scripted =
  | (Partial<ReceivedResponse> & Pick<Exchange, 'leftover'>)
  | { readonly error: string }
  | 'left out'
/** Replacements by the id of the exchange. */
export type Script = Readonly<Record<string, Scripted>>

const statuses = ['available', 'pending', 'sold']

/** The animals of the recorded deployment: 25, with each status in turn. */
export const animals: readonly Animal[] = Array.from({ length: 25 }, (_, n) => ({
  id: n + 1,
  name: `Pet ${n + 1}`,
  categoryId: (n % 3) + 1,
  status: statuses[n % 3] ?? '',
}))

/** The listed animal that getPet requests. */
export const asked: Animal = animals[6] ?? { id: 0, name: '', categoryId: 0 }
/** The id of the first created animal. */
export const firstNewId = 101

const known: Known = {
  marker: 'Testabcd',
  unknownId: '9000000000000000000',
  requestedId: '20000000000000',
  petId: String(asked.id),
  categoryId: '1',
  otherCategoryId: '123456789',
  status: 'pending',
  firstPetId: '1',
  lastPetId: '25',
  wrappedId: '4294967303',
  statusDecides: true,
  statusWasFiltered: true,
  newStatus: 'sold',
  otherCaseIsAccepted: true,
  largeIsRejected: false,
  noStatusIsAccepted: true,
  createdId: String(firstNewId),
  createdIsServed: true,
  doubtfulPages: [],
  throttleKeyHasLetters: true,
}

/** The steps of `read` that list pages with the key, with their queries. No deployment should reject them. */
const pageSteps = createPhases('read').first.flatMap(({ id, credential, target }) => {
  const [path, query] = target(known).split('?')
  const { limit = '20', status = 'sold' } = Object.fromEntries(new URLSearchParams(query))
  const isValid = /^([1-9]\d?|100)$/.test(limit) && statuses.includes(status)
  const isKeyed = credential === 'key' || credential === 'key-other-case'
  return path === '/pets' && isKeyed && isValid ? [{ id, query: query ?? '' }] : []
})

/** The ids of the exchanges that list pages with the key. */
export const allPages: readonly string[] = pageSteps.map(({ id }) => id)
export const unfilteredPages: readonly string[] = pageSteps.flatMap(({ id, query }) =>
  query.includes('status') ? [] : [id],
)

/** The ids of the exchanges of the profile `read`: with the key, and with other credentials. */
export const keyedIds: readonly string[] = createPhases('read').first.flatMap(({ id, credential, when }) =>
  credential === 'key' && when?.holds(known) !== false ? [id] : [],
)
export const otherIds: readonly string[] = [
  ...createPhases('read').first,
  ...createPhases('read').last,
].flatMap(({ id, credential }) => (credential === 'key' ? [] : [id]))

/** The ids of the creations with a valid body, whose media type is JSON. */
export const validIds: readonly string[] = creatingSteps.flatMap(({ id, alternative }) =>
  alternative ? [] : [id],
)

/** Replaces several exchanges in the same way. */
export function each(ids: readonly string[], scripted: Scripted): Script {
  return Object.fromEntries(ids.map((id) => [id, scripted]))
}

/** The headers of a response, with others set, or dropped if the value is `undefined`. */
export function headers(
  more: Readonly<Record<string, string | undefined>> = {},
): ReceivedResponse['headers'] {
  const all = {
    'content-type': 'application/json',
    date: 'Fri, 20 Nov 2026 12:00:00 GMT',
    'x-ratelimit-limit': '60',
    'x-ratelimit-remaining': '59',
    'x-ratelimit-reset': '1795176060',
    ...more,
  }
  return Object.entries(all).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]))
}

/** A response with a JSON body. */
export function json(status: number, body: unknown): Partial<ReceivedResponse> {
  const text = JSON.stringify(body, (_, value) => (typeof value === 'bigint' ? `int64 ${value}` : value))
  return { status, body: text.replace(/"int64 (-?\d+)"/g, '$1') }
}

/** A response with an Error as its body. */
export function error(status: number): Partial<ReceivedResponse> {
  return json(status, { code: 'e', message: 'No.', status })
}

/**
 * Returns the transcript of a run against a conforming deployment, with some exchanges replaced. Nothing is sent: the
 * exchanges are made in the order of the plan, 10 ms apart. What a run sends only on a condition is there if it is
 * scripted. What a profile sends only if its bound leaves room is there, too.
 */
export function recorded(profile: Profile, script: Script = {}, more: Partial<Transcript> = {}): Transcript {
  const { first, last } = createPhases(profile)
  const steps = [...first, ...(burns(profile) ? burnSteps : []), ...last].filter(
    ({ id, when }) => script[id] !== undefined || when?.holds(known) !== false,
  )
  const deployment = createRecorded()
  const exchanges = steps.flatMap((step, n) => {
    const scripted = script[step.id] ?? {}
    const response = deployment(step, n)
    if (scripted === 'left out') return []
    if ('error' in scripted) return [createExchange(step, n, { kind: 'error', error: scripted.error })]
    const { leftover, ...members } = scripted
    const exchange = createExchange(step, n, { kind: 'response', response: { ...response, ...members } })
    return [leftover === undefined ? exchange : { ...exchange, leftover }]
  })
  return {
    version: 1,
    baseUrl: 'https://pets.test/v1',
    profile,
    startedAt: '2026-11-20T12:00:00.000Z',
    now: '2026-11-20T12:00:00.000Z',
    durationMs: steps.length * 10,
    marker: known.marker,
    exchanges,
    ...more,
  }
}

/** Returns the finding of a rule in such a transcript. */
export function found(
  id: string,
  profile: Profile,
  script: Script = {},
  more: Partial<Transcript> = {},
): Finding {
  const rule = catalogue.find((candidate) => candidate.id === id)
  if (rule === undefined) throw new Error(`unknown rule ${id}`)
  return rule.judge(recorded(profile, script, more))
}

const burnSteps: readonly Step[] = [
  ...([1, 2, 3, 4] as const).map((n) => burnStep(`burn-${n}`)),
  stepAfterBurn,
  burnStep('after-burn'),
  burnStep('after-reset'),
]

function createExchange(step: Step, n: number, outcome: Exchange['outcome']): Exchange {
  const { headers, query } = carry(step.credential)
  const body = step.body?.(known)
  return {
    id: step.id,
    credential: step.credential,
    at: n * 10,
    ...(n > 0 && step.method === 'GET' && { continues: true }),
    request: {
      method: step.method,
      target: step.target(known) + query,
      headers,
      ...(body !== undefined && { body }),
    },
    outcome,
  }
}

/** A deployment that receives steps instead of requests. */
function createRecorded(): (step: Step, n: number) => ReceivedResponse {
  const all = [...animals]
  return (step, n) => {
    const isKeyed = step.credential === 'key' || step.credential === 'key-other-case'
    // a window that opens again when nothing remains
    const limits = { 'x-ratelimit-remaining': String(59 - (n % 60)) }
    if (step.credential === 'throttle-key') return burnt(step.id, all)
    if (!isKeyed) return respond(error(401), { ...limits, 'www-authenticate': 'Bearer' })
    if (isOutside(step.id)) return respond(error(step.method === 'POST' ? 405 : 404), limits)
    if (step.method === 'POST') return respond(created(step, all), limits)
    return respond(step.target(known).startsWith('/pets/') ? shown(step, all) : listed(step, all), limits)
  }
}

function respond(
  response: Partial<ReceivedResponse>,
  more: Readonly<Record<string, string | undefined>>,
): ReceivedResponse {
  return { status: 200, headers: headers(more), body: '', utf8: true, truncated: false, ms: 1, ...response }
}

function listed(step: Step, all: readonly Animal[]): Partial<ReceivedResponse> {
  const query = new URLSearchParams(step.target(known).split('?')[1])
  const limit = Number(query.get('limit') ?? 20)
  const status = query.get('status')
  if (!(limit >= 1 && limit <= 100) || (status !== null && !statuses.includes(status))) return error(400)
  const matching = all.filter((animal) => status === null || animal.status === status)
  return json(200, matching.slice(0, limit))
}

function shown(step: Step, all: readonly Animal[]): Partial<ReceivedResponse> {
  const id = step.target(known).slice('/pets/'.length)
  const animal = all.find((candidate) => String(candidate.id) === id)
  return animal === undefined ? error(404) : json(200, animal)
}

function created(step: Step, all: Animal[]): Partial<ReceivedResponse> {
  if (step.creates === 'invalid') return error(400)
  const first = all.find(({ name }) => name === `${known.marker} non`)
  if (step.id === 'create-again' && first !== undefined) return json(201, first)
  const body = readJson(step.body?.(known) ?? '')
  if (!isObject(body)) return error(400)
  const categoryId = body.get('categoryId')
  if (typeof categoryId !== 'bigint') return error(400)
  const animal: Animal = {
    id: firstNewId + all.length - animals.length,
    name: String(body.get('name')),
    categoryId,
    status: String(body.get('status') ?? 'available'),
  }
  all.push(animal)
  return json(201, animal)
}

/** Serves three requests with the throttle key, rejects the fourth, and serves those after it. */
function burnt(id: string, all: readonly Animal[]): ReceivedResponse {
  const remaining = { 'burn-1': '2', 'burn-2': '1', 'burn-3': '0', 'burn-4': '0' }[id] ?? '2'
  const standing = { 'x-ratelimit-limit': '3', 'x-ratelimit-remaining': remaining }
  if (id === 'burn-4') return respond(error(429), { ...standing, 'retry-after': '30' })
  return respond(json(200, all.slice(0, 1)), standing)
}

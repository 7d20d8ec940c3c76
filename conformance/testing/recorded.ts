import { carry } from '../credentials.ts'
import { burns } from '../options.ts'
import { phasesOf } from '../plan.ts'
import { catalogue } from '../rules/catalogue.ts'
import type { Finding } from '../rules/rule.ts'
import type { Known, Step } from '../steps.ts'
import { isObject, readJson } from '../transcript/json.ts'
import type { Exchange, Profile, ReceivedResponse, Transcript } from '../transcript/transcript.ts'

/** An animal as a test writes it. */
export interface Animal {
  readonly id: number
  readonly name: string
  readonly categoryId: number | bigint
  readonly status?: string
}

/** What a test puts in an exchange's place: another answer, an error, or no exchange at all. */
export type Scripted = Partial<ReceivedResponse> | { readonly error: string } | 'left out'
export type Script = Readonly<Record<string, Scripted>>

const statuses = ['available', 'pending', 'sold']

/** The animals of the recorded deployment: 25, of every status in turn. */
export const animals: readonly Animal[] = Array.from({ length: 25 }, (_, n) => ({
  id: n + 1,
  name: `Pet ${n + 1}`,
  categoryId: (n % 3) + 1,
  status: statuses[n % 3] ?? '',
}))

/** The ids of the exchanges that ask the key for a page, as every profile does. */
export const unfilteredPages: readonly string[] = ['list', 'list-100', 'list-1', 'list-last', 'list-100-last']
export const filteredPages: readonly string[] = statuses.flatMap((status) => [
  `list-${status}`,
  `list-${status}-100`,
])
export const allPages: readonly string[] = [...unfilteredPages, ...filteredPages, 'list-status-1']

/** The ids of all exchanges of the profile `read`, those with the key first. */
export const keyedIds: readonly string[] = phasesOf('read').keyed.flatMap(({ id, credential }) =>
  credential === 'key' ? [id] : [],
)
export const otherIds: readonly string[] = phasesOf('read').keyless.map(({ id }) => id)

/** The same in the place of several exchanges. */
export function each(ids: readonly string[], scripted: Scripted): Script {
  return Object.fromEntries(ids.map((id) => [id, scripted]))
}

/** The animal that getPet is asked for. */
export const asked: Animal = animals[6] ?? { id: 0, name: '', categoryId: 0 }
/** The id of the first new animal. */
export const firstNewId = 101

const known: Known = {
  marker: 'Trial abcdef',
  unknownId: '9000000000000000000',
  requestedId: '20000000000000',
  petId: String(asked.id),
  categoryId: '1',
  status: 'pending',
  createdId: String(firstNewId),
  createdIsServed: true,
  missingId: undefined,
}

/** The headers of an answer, with others set, or dropped where the value is `undefined`. */
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

/** An answer with a JSON body. */
export function json(status: number, body: unknown): Partial<ReceivedResponse> {
  const text = JSON.stringify(body, (_, value) => (typeof value === 'bigint' ? `int64 ${value}` : value))
  return { status, body: text.replace(/"int64 (-?\d+)"/g, '$1') }
}

/** An answer with an Error. */
export function error(status: number): Partial<ReceivedResponse> {
  return json(status, { code: 'e', message: 'No.', status })
}

/**
 * The transcript of a run against a deployment that keeps every rule, with some exchanges replaced: written without
 * sending anything, in the order of the plan, 10 ms apart.
 */
export function recorded(profile: Profile, script: Script = {}, more: Partial<Transcript> = {}): Transcript {
  const { keyed, keyless } = phasesOf(profile)
  const again = script['get-created-again'] === undefined ? ['get-created-again'] : []
  const steps = [...keyed, ...(burns(profile) ? burning : []), ...keyless].filter(
    ({ id }) => !again.includes(id),
  )
  const deployment = createRecorded()
  const exchanges = steps.flatMap((step, n) => {
    const scripted = script[step.id] ?? {}
    const response = deployment(step, n)
    if (scripted === 'left out') return []
    const outcome: Exchange['outcome'] =
      'error' in scripted
        ? { kind: 'error', error: scripted.error }
        : { kind: 'response', response: { ...response, ...scripted } }
    return [exchangeOf(step, n, outcome)]
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

/** What a rule finds in such a transcript. */
export function found(
  id: string,
  profile: Profile,
  script: Script = {},
  more: Partial<Transcript> = {},
): Finding {
  const rule = catalogue.find((candidate) => candidate.id === id)
  if (rule === undefined) throw new Error(`there is no rule ${id}`)
  return rule.judge(recorded(profile, script, more))
}

const burning: readonly Step[] = ['burn-1', 'burn-2', 'burn-3', 'burn-4', 'after-burn'].map((id) => ({
  id,
  credential: 'throttle-key',
  method: 'GET',
  target: () => '/pets?limit=1',
}))

function exchangeOf(step: Step, n: number, outcome: Exchange['outcome']): Exchange {
  const { authorization, accessToken } = carry(step.credential)
  const body = step.body?.(known)
  return {
    id: step.id,
    credential: step.credential,
    at: n * 10,
    request: {
      method: step.method,
      target: step.target(known) + (accessToken === undefined ? '' : `?access_token=${accessToken}`),
      headers: authorization === undefined ? [] : [['authorization', authorization]],
      ...(body !== undefined && { body }),
    },
    outcome,
  }
}

/** A deployment that answers steps in place of requests. */
function createRecorded(): (step: Step, n: number) => ReceivedResponse {
  const all = [...animals]
  return (step, n) => {
    const isKeyed = step.credential === 'key' || step.credential === 'key-other-case'
    const limits = { 'x-ratelimit-remaining': String(Math.max(0, 59 - n)) }
    if (step.credential === 'throttle-key') return respond(burnt(step.id, all), burntHeaders(step.id))
    if (!isKeyed) return respond(error(401), { ...limits, 'www-authenticate': 'Bearer' })
    if (step.method === 'POST') return respond(created(step, all), limits)
    return respond(step.target(known).startsWith('/pets/') ? shown(step, all) : listed(step, all), limits)
  }
}

function respond(
  answer: Partial<ReceivedResponse>,
  more: Readonly<Record<string, string | undefined>>,
): ReceivedResponse {
  return { status: 200, headers: headers(more), body: '', utf8: true, truncated: false, ms: 1, ...answer }
}

function listed(step: Step, all: readonly Animal[]): Partial<ReceivedResponse> {
  const query = new URLSearchParams(step.target(known).split('?')[1])
  const limit = Number(query.get('limit') ?? 20)
  const status = query.get('status')
  if (!(limit >= 1 && limit <= 100) || (status !== null && !statuses.includes(status))) return error(400)
  const wanted = all.filter((animal) => status === null || animal.status === status)
  return json(200, wanted.slice(0, limit))
}

function shown(step: Step, all: readonly Animal[]): Partial<ReceivedResponse> {
  const id = step.target(known).slice('/pets/'.length)
  const animal = all.find((candidate) => String(candidate.id) === id)
  return animal === undefined ? error(404) : json(200, animal)
}

function created(step: Step, all: Animal[]): Partial<ReceivedResponse> {
  if (step.creates === 'invalid') return error(400)
  const body = readJson(step.body?.(known) ?? '')
  if (!isObject(body)) return error(400)
  const id = firstNewId + all.length - animals.length
  const status = String(body.get('status') ?? 'available')
  const name = String(body.get('name'))
  const categoryId = body.get('categoryId')
  if (typeof categoryId !== 'bigint') return error(400)
  all.push({ id, name, categoryId, status })
  const text = `{"id":${id},"name":${JSON.stringify(name)},"categoryId":${categoryId},"status":"${status}"}`
  return { status: 201, body: text }
}

function burnt(id: string, all: readonly Animal[]): Partial<ReceivedResponse> {
  return id === 'burn-4' ? error(429) : json(200, all.slice(0, 1))
}

function burntHeaders(id: string): Readonly<Record<string, string>> {
  const remaining = { 'burn-1': '2', 'burn-2': '1', 'burn-3': '0', 'burn-4': '0' }[id] ?? '2'
  const standing = { 'x-ratelimit-limit': '3', 'x-ratelimit-remaining': remaining }
  return id === 'burn-4' ? { ...standing, 'retry-after': '30' } : standing
}

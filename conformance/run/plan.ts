import { dueOf, phasesOf } from '../steps/phases.ts'
import type { Profile } from '../steps/profile.ts'
import { type Credential, type Known, type Step, unknown } from '../steps/step.ts'
import { mostRequests } from '../transcript/bounds.ts'
import { mostAcceptedInvalid } from '../transcript/creations.ts'
import { ratePlans } from '../transcript/rate-plans.ts'
import { type RunOptions, readOptions } from './options.ts'
import { mostWaited } from './pace.ts'
import { carry } from './secrets.ts'
import { mostRepeats } from './surprises.ts'

/** The most requests of a burn, unless `maxRequests` is given. */
export const mostBurnt = 500

/** An exchange that a run would have. */
export interface PlannedExchange {
  readonly id: string
  readonly credential: Credential
  readonly method: string
  /** Path and query. Placeholders such as `<listed id>` replace what only the run can learn. */
  readonly target: string
  readonly body?: string
  /** The most times that it is sent; 1 for all but the burn. */
  readonly times: number
  /** The condition on which it is sent; without one, it is always sent. */
  readonly when?: string
}

/** The requests of a run, and their cost. */
export interface Plan {
  readonly profile: Profile
  readonly exchanges: readonly PlannedExchange[]
  /** The most requests, the burn included. */
  readonly requests: number
  /** The most GETs that are sent once more besides: after a closed connection, or to confirm a surprise. */
  readonly repeats: number
  /** The longest that the run waits for limits, in milliseconds, apart from that of the throttle key. */
  readonly longestWait: number
  /** `--pace`: the most requests a second. */
  readonly pace?: number
  /** The most requests that are charged to the key. */
  readonly keyed: number
  /** The most requests that are charged to the throttle key. */
  readonly throttled: number
  /** The share that the key's requests have in a Free key's limits (section 8); 1 is the whole limit. */
  readonly shareOfFree: { readonly minute: number; readonly day: number }
  /** How many bodies are valid, and the most animals that the run could create. */
  readonly creations: { readonly validBodies: number; readonly most: number }
}

/**
 * Returns what a run with these options would send. Sends nothing.
 *
 * @param options The options of the run.
 * @throws {TypeError} An option is invalid, as for the run.
 *
 * @example
 * import { plan } from 'pet-adoption-service/conformance'
 *
 * const { requests, creations } = plan({ baseUrl: 'https://api.example.com/v1', key: 'any', profile: 'create' })
 * console.log(`at most ${requests} requests and ${creations.most} animals`)
 */
export function plan(options: RunOptions): Plan {
  const { profile, maxRequests, categoryId, pace } = readOptions(options)
  const budget = Math.min(maxRequests ?? Number.POSITIVE_INFINITY, mostRequests[profile])
  const { first, burn, last } = phasesOf(profile)
  const all = [...first, ...last]
  const bound = all.length > mostRequests[profile] ? mostRequests[profile] : undefined
  const show = (step: Step): PlannedExchange => planned(step, categoryId?.toString(), bound)
  const burnt = burn ? plannedBurn(maxRequests ?? mostBurnt) : []
  const counted = [...all.filter(({ alternative }) => !alternative).map(show), ...burnt]
  const most = (credentials: readonly Credential[]): number =>
    sum(counted.filter(({ credential }) => credentials.includes(credential)))
  const others = dueOf(
    all.filter(({ credential }) => !keyed.includes(credential)),
    unknown,
  )
  const charged = Math.min(most(keyed), budget, bound === undefined ? budget : bound - others)
  const valid = all.filter(({ creates, alternative }) => creates === 'valid' && !alternative).length
  const invalid = all.filter(({ creates }) => creates === 'invalid').length
  const [freeMinute, freeDay] = ratePlans.free
  return {
    profile,
    exchanges: [...first.map(show), ...burnt, ...last.map(show)],
    requests: Math.min(budget, sum(counted)),
    repeats: Math.min(mostRepeats, Math.max(0, budget - sum(counted))),
    longestWait: mostWaited,
    ...(pace !== undefined && { pace }),
    keyed: charged,
    throttled: Math.min(budget, most(['throttle-key'])),
    shareOfFree: { minute: charged / freeMinute, day: charged / freeDay },
    creations: { validBodies: valid, most: valid + Math.min(invalid, mostAcceptedInvalid) },
  }
}

/** The credentials whose requests are charged to the key. */
const keyed: readonly Credential[] = ['key', 'key-other-case']

/** The requests that drive the throttle key to its limit, one with the key, and those after the waits. */
function plannedBurn(bound: number): readonly PlannedExchange[] {
  const one = { credential: 'throttle-key', method: 'GET', target: '/pets?limit=1' } as const
  return [
    { ...one, id: 'burn', times: bound, when: 'until the first 429' },
    { ...one, id: 'list-after-burn', credential: 'key', times: 1 },
    { ...one, id: 'after-burn', times: 1, when: 'after the Retry-After of the 429' },
    { ...one, id: 'after-reset', times: 1, when: 'after X-RateLimit-Reset, if that is later' },
  ]
}

function planned(
  { id, credential, method, target, body, when, spare }: Step,
  categoryId: string | undefined,
  bound: number | undefined,
): PlannedExchange {
  const known: Known = { ...unknown, ...(categoryId !== undefined && { categoryId }) }
  const isSpare = bound !== undefined && spare === true
  const conditions = [
    ...(when === undefined ? [] : [when.text]),
    ...(isSpare ? [`if the bound of ${bound} requests leaves room`] : []),
  ]
  return {
    id,
    credential,
    method,
    target: target(known) + carry(credential).query,
    ...(body !== undefined && { body: body(known) }),
    times: 1,
    ...(conditions.length > 0 && { when: conditions.join(' and ') }),
  }
}

function sum(exchanges: readonly PlannedExchange[]): number {
  return exchanges.reduce((total, { times }) => total + times, 0)
}

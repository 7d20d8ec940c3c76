import { countDue, createPhases } from '../steps/phases.ts'
import type { Profile } from '../steps/profile.ts'
import { type Credential, type Known, type Step, unknown } from '../steps/step.ts'
import { mostRequests } from '../transcript/bounds.ts'
import { mostAcceptedInvalid } from '../transcript/creations.ts'
import { type RunOptions, readOptions } from './options.ts'
import { carry } from './secrets.ts'
import { mostRepeats } from './surprises.ts'

/** Maximum number of requests of a burn, unless `maxRequests` is given. */
export const mostBurnt = 500

/** An exchange that a run would have. */
export interface PlannedExchange {
  /** The id that a transcript uses for it. */
  readonly id: string
  /** The kind of its credential. */
  readonly credential: Credential
  /** Its method. */
  readonly method: string
  /** Path and query. Placeholders such as `<listed id>` replace what only the run can learn. */
  readonly target: string
  /** Its body, if it has one. */
  readonly body?: string
  /** Maximum number of times that it is sent; 1 for all but the burn. */
  readonly times: number
  /** The condition for sending it; without one, it is always sent. */
  readonly when?: string
}

/** The requests of a run, and their cost. */
export interface Plan {
  /** The profile of the plan. */
  readonly profile: Profile
  /** The requests, in their order. */
  readonly exchanges: readonly PlannedExchange[]
  /** Maximum number of requests, the burn included. */
  readonly requests: number
  /** Maximum number of GETs that are sent once more, after a closed connection or to confirm a surprise. */
  readonly repeats: number
  /** `--pace`: the most requests a second. */
  readonly pace?: number
  /** Maximum number of requests that are charged to the key. */
  readonly keyed: number
  /** Maximum number of requests that are charged to the throttle key. */
  readonly throttled: number
  /** The number of valid bodies, and the maximum number of animals that the run could create. */
  readonly creations: { readonly validBodies: number; readonly most: number }
}

/**
 * Returns the requests of a run with these options. Sends nothing.
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
  const bound = mostRequests[profile]
  const budget = Math.min(maxRequests ?? Number.POSITIVE_INFINITY, bound)
  const { first, burn, last } = createPhases(profile)
  const all = [...first, ...last]
  const room = all.length > bound ? `if the bound of ${bound} requests leaves room` : undefined
  const known = { ...unknown, ...(categoryId !== undefined && { categoryId: categoryId.toString() }) }
  const show = (step: Step): PlannedExchange => planned(step, known, step.priority && room)
  const burnt = burn ? plannedBurn(maxRequests ?? mostBurnt) : []
  const counted = [...all.filter(({ alternative }) => !alternative).map(show), ...burnt]
  const requests = sum(counted)
  const unkeyed = all.filter(({ credential }) => !keyed.includes(credential))
  const invalid = all.filter(({ creates }) => creates === 'invalid').length
  const validBodies = all.filter(({ creates, alternative }) => creates === 'valid' && !alternative).length
  return {
    profile,
    exchanges: [...first.map(show), ...burnt, ...last.map(show)],
    requests: Math.min(budget, requests),
    repeats: Math.min(mostRepeats, Math.max(0, budget - requests)),
    ...(pace !== undefined && { pace }),
    keyed: Math.min(
      sum(counted.filter(({ credential }) => keyed.includes(credential))),
      budget,
      room === undefined ? budget : bound - countDue(unkeyed, unknown),
    ),
    throttled: Math.min(budget, sum(counted.filter(({ credential }) => credential === 'throttle-key'))),
    creations: { validBodies, most: validBodies + Math.min(invalid, mostAcceptedInvalid) },
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

/** @param room The condition that the bound of the run adds to that of the step. */
function planned(step: Step, known: Known, room: string | undefined): PlannedExchange {
  const { id, credential, method, target, body, when } = step
  const conditions = [when?.text, room].filter((text) => text !== undefined)
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

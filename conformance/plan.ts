import { carry } from './credentials.ts'
import { burns, creates, type RunOptions, readOptions } from './options.ts'
import type { Known, Step } from './steps.ts'
import { createdAfterStep, creatingSteps, keylessCreatingSteps } from './steps-create.ts'
import { closingSteps, keyInQueryStep, keylessSteps, openingSteps, readingSteps } from './steps-read.ts'
import { mostAcceptedInvalid } from './transcript/creations.ts'
import { ratePlans } from './transcript/rate-plans.ts'
import type { Credential, Profile } from './transcript/transcript.ts'

/** The requests of a profile, in order: with the key, the burn of the throttle key, and without a valid key. */
export interface Phases {
  readonly keyed: readonly Step[]
  readonly burn: boolean
  readonly keyless: readonly Step[]
}

/** Returns the phases of a profile. Requests without a credential come last, as their limit may be small. */
export function phasesOf(profile: Profile): Phases {
  const posts = creates(profile)
  const burn = burns(profile)
  const keyless = [...keylessSteps, ...(burn ? [keyInQueryStep] : []), ...(posts ? keylessCreatingSteps : [])]
  const isBare = ({ credential }: Step): boolean => credential === 'none'
  return {
    keyed: [
      ...openingSteps,
      // early, so that an empty store has animals to list
      ...(posts ? creatingSteps : []),
      ...readingSteps,
      ...(posts ? [createdAfterStep] : []),
      ...closingSteps,
    ],
    burn,
    keyless: [...keyless.filter((step) => !isBare(step)), ...keyless.filter(isBare)],
  }
}

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
  const { profile, maxRequests, categoryId } = readOptions(options)
  const budget = maxRequests ?? Number.POSITIVE_INFINITY
  const { keyed, burn, keyless } = phasesOf(profile)
  const show = (step: Step): PlannedExchange => planned(step, categoryId?.toString())
  const steps = [
    ...keyed.map(show),
    ...(burn ? plannedBurn(maxRequests ?? mostBurnt) : []),
    ...keyless.map(show),
  ]
  const valid = [...keyed, ...keyless].filter(({ creates }) => creates === 'valid').length
  const invalid = keyed.filter(({ creates }) => creates === 'invalid').length
  const most = (credentials: readonly Credential[]): number =>
    Math.min(budget, sum(steps.filter(({ credential }) => credentials.includes(credential))))
  const charged = most(['key', 'key-other-case'])
  const [freeMinute, freeDay] = ratePlans.free
  return {
    profile,
    exchanges: steps,
    requests: Math.min(budget, sum(steps)),
    keyed: charged,
    throttled: most(['throttle-key']),
    shareOfFree: { minute: charged / freeMinute, day: charged / freeDay },
    creations: { validBodies: valid, most: valid + Math.min(invalid, mostAcceptedInvalid) },
  }
}

/** The requests that drive the throttle key to its limit, and the request after the wait. */
function plannedBurn(bound: number): readonly PlannedExchange[] {
  const one = { credential: 'throttle-key', method: 'GET', target: '/pets?limit=1' } as const
  return [
    { ...one, id: 'burn', times: bound, when: 'until the first 429' },
    { ...one, id: 'after-burn', times: 1, when: 'after the Retry-After of the 429' },
  ]
}

function planned(
  { id, credential, method, target, body, when }: Step,
  categoryId = '<categoryId>',
): PlannedExchange {
  const known: Known = { ...unknown, categoryId }
  const { accessToken } = carry(credential)
  return {
    id,
    credential,
    method,
    target: target(known) + (accessToken === undefined ? '' : `?access_token=${accessToken}`),
    ...(body !== undefined && { body: body(known) }),
    times: 1,
    ...(when !== undefined && { when: when.text }),
  }
}

/** Placeholders for what a run learns or draws. */
const unknown: Omit<Known, 'categoryId'> = {
  marker: '<run>',
  unknownId: '<unknown id>',
  requestedId: '<unlisted id>',
  petId: '<listed id>',
  status: '<status>',
  createdId: '<new id>',
  createdIsServed: false,
  missingId: '<new id>',
}

function sum(exchanges: readonly PlannedExchange[]): number {
  return exchanges.reduce((total, { times }) => total + times, 0)
}

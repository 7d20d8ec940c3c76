import { countDueSteps, createPhases } from '../steps/phases.ts'
import type { Profile } from '../steps/profile.ts'
import { type Credential, type LearnedFacts, placeholderFacts, type Step } from '../steps/step.ts'
import { maxRequestsByProfile } from '../transcript/bounds.ts'
import { maxAcceptedInvalid } from '../transcript/creations.ts'
import { type RunOptions, readOptions } from './options.ts'
import { writeCredential } from './secrets.ts'

/** Maximum number of requests with the throttle key, unless `maxRequests` is given. */
export const maxBurnRequests = 500

/** A request that a run may send. */
export interface PlannedExchange {
  /** ID of the exchange in the transcript, such as `list-100`. */
  readonly id: string
  /** How the request authenticates. */
  readonly credential: Credential
  /** HTTP method. */
  readonly method: string
  /** Path and query below the base URL. Placeholders such as `<listed id>` stand for values from earlier responses. */
  readonly target: string
  /** Request body, with the same placeholders. */
  readonly body?: string
  /** Name of the group whose requests are sent in parallel. Absent if the request is sent alone. */
  readonly group?: string
  /**
   * Maximum number of times that the request is sent. Only requests that use up the throttle key's limit are sent more
   * than once.
   */
  readonly times: number
  /** Condition for sending the request. Absent if it is always sent. */
  readonly when?: string
}

/** The requests that a run would send. */
export interface Plan {
  /** The run's profile. */
  readonly profile: Profile
  /**
   * The requests in the order they are sent. Some are alternatives, and the last ones may be dropped to stay within the
   * profile's limit.
   */
  readonly exchanges: readonly PlannedExchange[]
  /** Maximum number of requests in total. */
  readonly requests: number
  /** Maximum number of requests per second, if the option was given. */
  readonly pace?: number
  /** Maximum number of requests that count against the API key. */
  readonly keyed: number
  /** Maximum number of requests that count against the throttle key. */
  readonly throttled: number
  /** Number of animals that the run creates: with valid bodies, and at most if the server accepts invalid ones too. */
  readonly creations: { readonly validBodies: number; readonly most: number }
}

/**
 * Lists the requests of a run without sending any.
 *
 * @param options The options of the run.
 * @throws {TypeError} If an option is invalid.
 *
 * @example
 * import { plan } from 'pet-adoption-service/conformance'
 *
 * const { requests, creations } = plan({ baseUrl: 'https://api.example.com/v1', apiKey: 'any', profile: 'create' })
 * console.log(`at most ${requests} requests and ${creations.most} animals`)
 */
export function plan(options: RunOptions): Plan {
  const { profile, maxRequests, categoryId, pace } = readOptions(options)
  const maxProfileRequests = maxRequestsByProfile[profile]
  const budget = Math.min(maxRequests ?? Number.POSITIVE_INFINITY, maxProfileRequests)
  const { beforeBurn, hasBurn, afterBurn } = createPhases(profile)
  const plannedSteps = [...beforeBurn, ...afterBurn]
  const requestsLeft =
    plannedSteps.length > maxProfileRequests
      ? `if the limit of ${maxProfileRequests} requests allows it`
      : undefined
  const category = categoryId?.toString() ?? placeholderFacts.categoryId
  const knownFacts = { ...placeholderFacts, categoryId: category }
  const show = (step: Step): PlannedExchange => planExchange(step, knownFacts, step.priority && requestsLeft)
  const burnRequests = hasBurn ? planBurn(maxRequests ?? maxBurnRequests) : []
  const counted = [...plannedSteps.filter(({ isAlternative }) => !isAlternative).map(show), ...burnRequests]
  const anonymousRequests = plannedSteps.filter(({ credential }) => !keyCredentials.includes(credential))
  const bodies = plannedSteps.filter(({ creates, isAlternative }) => creates && !isAlternative)
  const validBodies = bodies.filter(({ creates }) => creates === 'valid').length
  return {
    profile,
    exchanges: [...beforeBurn.map(show), ...burnRequests, ...afterBurn.map(show)],
    requests: Math.min(budget, sum(counted)),
    ...(pace !== undefined && { pace }),
    keyed: Math.min(
      sum(counted.filter(({ credential }) => keyCredentials.includes(credential))),
      budget,
      requestsLeft === undefined
        ? budget
        : maxProfileRequests - countDueSteps(anonymousRequests, placeholderFacts),
    ),
    throttled: Math.min(budget, sum(counted.filter(({ credential }) => credential === 'throttle-key'))),
    creations: { validBodies, most: validBodies + Math.min(bodies.length - validBodies, maxAcceptedInvalid) },
  }
}

/** Credentials that count against the API key. */
const keyCredentials: readonly Credential[] = ['key', 'key-other-case']

function planBurn(bound: number): readonly PlannedExchange[] {
  const burn = { credential: 'throttle-key', method: 'GET', target: '/pets?limit=1', times: 1 } as const
  return [
    {
      ...burn,
      id: 'burn',
      times: bound,
      when: 'until the first 429; at most 20 requests are sent in parallel',
    },
    { ...burn, id: 'list-after-burn', credential: 'key' },
    { ...burn, id: 'after-burn', when: 'after the Retry-After time of the 429' },
    { ...burn, id: 'after-reset', when: 'after the X-RateLimit-Reset time, if it is later than Retry-After' },
  ]
}

function planExchange(step: Step, known: LearnedFacts, room: string | undefined): PlannedExchange {
  const { id, credential, method, target, body, group, when } = step
  const conditions = [when?.text, room].filter((text) => text !== undefined)
  return {
    id,
    credential,
    method,
    target: target(known) + writeCredential(credential).query,
    ...(body !== undefined && { body: body(known) }),
    ...(group !== undefined && { group }),
    times: 1,
    ...(conditions.length > 0 && { when: conditions.join(' and ') }),
  }
}

function sum(exchanges: readonly PlannedExchange[]): number {
  return exchanges.reduce((total, { times }) => total + times, 0)
}

import { carry } from './credentials.ts'
import { burns, creates, type RunOptions, readOptions } from './options.ts'
import type { Known, Step } from './steps.ts'
import { createdAfterStep, creatingSteps, keylessCreatingSteps } from './steps-create.ts'
import { closingSteps, keyInQueryStep, keylessSteps, openingSteps, readingSteps } from './steps-read.ts'
import { mostAcceptedInvalid } from './transcript/creations.ts'
import { ratePlans } from './transcript/rate-plans.ts'
import type { Credential, Profile } from './transcript/transcript.ts'

/** What a profile sends, in order: with the key, to the limit of the throttle key, and without a key. */
export interface Phases {
  readonly keyed: readonly Step[]
  readonly burn: boolean
  readonly keyless: readonly Step[]
}

/** The phases of a profile. Requests without any credential come last of all: their limit may be tiny. */
export function phasesOf(profile: Profile): Phases {
  const posts = creates(profile)
  const burn = burns(profile)
  const keyless = [...keylessSteps, ...(burn ? [keyInQueryStep] : []), ...(posts ? keylessCreatingSteps : [])]
  const isBare = ({ credential }: Step): boolean => credential === 'none'
  return {
    keyed: [
      ...openingSteps,
      // early, so that an empty store has something to show
      ...(posts ? creatingSteps : []),
      ...readingSteps,
      ...(posts ? [createdAfterStep] : []),
      ...closingSteps,
    ],
    burn,
    keyless: [...keyless.filter((step) => !isBare(step)), ...keyless.filter(isBare)],
  }
}

/** The most requests that a burn sends where no other bound is given. */
export const mostBurnt = 500

/** An exchange as a dry run shows it. */
export interface PlannedExchange {
  readonly id: string
  readonly credential: Credential
  readonly method: string
  /** Path and query, with a placeholder for what the run has yet to learn. */
  readonly target: string
  readonly body?: string
  /** How often at most; 1 for all but the burn. */
  readonly times: number
  /** On what condition it is sent; absent: always. */
  readonly when?: string
}

/** What a run would send, and what it would cost. */
export interface Plan {
  readonly profile: Profile
  readonly exchanges: readonly PlannedExchange[]
  /** The most requests, the burn included. */
  readonly requests: number
  /** The most requests that are charged to the key. */
  readonly keyed: number
  /** The most requests that are charged to the throttle key. */
  readonly throttled: number
  /** What the key's requests take of a Free key's 60 a minute and 1,000 a day (section 8), in parts of 1. */
  readonly shareOfFree: { readonly minute: number; readonly day: number }
  /** The valid bodies, and the most animals that could be created. */
  readonly creations: { readonly validBodies: number; readonly most: number }
}

/** What a run with these options would send. Sends nothing; throws as the run does. */
export function plan(options: RunOptions): Plan {
  const { profile, maxRequests, categoryId } = readOptions(options)
  const budget = maxRequests ?? Number.POSITIVE_INFINITY
  const { keyed, burn, keyless } = phasesOf(profile)
  const show = (step: Step): PlannedExchange => planned(step, categoryId?.toString())
  const steps = [...keyed.map(show), ...(burn ? burnt(maxRequests ?? mostBurnt) : []), ...keyless.map(show)]
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

/** The requests that drive the throttle key to its limit, and the one after the wait. */
function burnt(bound: number): readonly PlannedExchange[] {
  const one = { credential: 'throttle-key', method: 'GET', target: '/pets?limit=1' } as const
  return [
    { ...one, id: 'burn', times: bound, when: 'until the first 429' },
    { ...one, id: 'after-burn', times: 1, when: 'after the wait that the 429 asks for' },
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
    ...(when !== undefined && { when: when.says }),
  }
}

/** What a run has yet to learn or draw. */
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

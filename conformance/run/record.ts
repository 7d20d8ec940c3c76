import { createFetchTransport } from '../network/fetch-transport.ts'
import { createNodeTransport } from '../network/node-transport.ts'
import type { Transport } from '../network/transport.ts'
import { countDueSteps, createPhases } from '../steps/phases.ts'
import type { Step } from '../steps/step.ts'
import {
  createBurnStep,
  createLimitSteps,
  maxRemaining,
  openingSteps,
  requestsBeyondLimit,
  stepAfterBurn,
} from '../steps/steps-read.ts'
import { maxRequestsByProfile } from '../transcript/bounds.ts'
import { countAcceptedInvalid, maxAcceptedInvalid } from '../transcript/creations.ts'
import { readLimitNumbers } from '../transcript/rate-limits.ts'
import { findKeyRejection, isSuccess } from '../transcript/responses.ts'
import { countRequests, type Exchange, type Transcript } from '../transcript/transcript.ts'
import {
  computeSecondsUntilRestored,
  marginSeconds,
  maxWaitSeconds,
  readRetryAfterSeconds,
} from '../transcript/waits.ts'
import { findCheckStep, isRateLimited } from './early-end.ts'
import { createExchanger, type Exchanger } from './exchanger.ts'
import { type ResolvedOptions, type RunOptions, readOptions } from './options.ts'
import type { Clock } from './pace.ts'
import { maxBurnRequests } from './plan.ts'

/**
 * Sends the requests of a profile and records the exchanges, without judging them. Requests are sent one at a time,
 * except for two parallel groups.
 *
 * @param options Where to send the requests, and which.
 * @returns The transcript of the run, without secrets.
 * @throws {TypeError} If an option is invalid. Whatever the deployment does is recorded and never throws.
 *
 * @example
 * import { judge, record } from 'pet-adoption-service/conformance'
 *
 * const transcript = await record({ baseUrl: 'https://api.example.com/v1', apiKey: 'key-of-a-test-account' })
 * console.log(transcript.exchanges.length, judge(transcript).summary)
 */
export async function record(options: RunOptions): Promise<Transcript> {
  const settings = readOptions(options)
  const transport = createTransport(settings)
  try {
    const exchanger = createExchanger(settings, transport)
    for (const step of openingSteps) await performStep(step, [], exchanger, settings)
    const isEmpty = exchanger.getState().known.petId === undefined
    const phases = createPhases(settings.profile, isEmpty)
    const { hasBurn: burns, afterBurn } = phases
    const firstSteps = phases.beforeBurn.slice(openingSteps.length)
    const steps = [...firstSteps, ...afterBurn]
    for (const [n, step] of steps.entries()) {
      if (burns && n === firstSteps.length) await burn(exchanger, settings)
      const laterSteps = steps.slice(n + 1)
      const { group } = step
      const members = steps.filter((other) => other.group === group)
      if (group === undefined) await performStep(step, laterSteps, exchanger, settings)
      else if (step === members[0]) await performInParallel(members, exchanger, settings)
    }
    return exchanger.getState().transcript
  } finally {
    transport.close()
  }
}

/** Skips the step if it cannot prove anything, or if the requests left are needed for `later` steps. */
async function performStep(
  step: Step,
  later: readonly Step[],
  exchanger: Exchanger,
  { clock, profile }: ResolvedOptions,
): Promise<void> {
  const { transcript, known } = exchanger.getState()
  if (transcript.endedEarly !== undefined) return
  if (step.credential === 'key' && findKeyRejection(transcript.exchanges) !== undefined) return
  const isValid = step.creates === undefined || step.creates === 'valid'
  if (!isValid && countAcceptedInvalid(transcript) >= maxAcceptedInvalid) return
  if (step.when?.holds(known) === false) return
  const requestsLeft = maxRequestsByProfile[profile] - countRequests(transcript)
  if (requestsLeft <= 0) return
  const mayBeDropped = step.priority !== undefined && later.length >= requestsLeft
  if (mayBeDropped && countDueSteps(later, known, step.priority) >= requestsLeft) return
  if (step.delayMs !== undefined) await clock.sleep(step.delayMs)
  await exchanger.exchange(step)
  const check = findCheckStep(exchanger.getState().transcript)
  if (check !== undefined) await exchanger.exchange(check)
}

async function performInParallel(
  steps: readonly Step[],
  exchanger: Exchanger,
  { profile }: ResolvedOptions,
): Promise<void> {
  const { transcript, known } = exchanger.getState()
  if (findKeyRejection(transcript.exchanges) !== undefined) return
  if (steps.some(({ when }) => when?.holds(known) === false)) return
  if (countRequests(transcript) + steps.length > maxRequestsByProfile[profile]) return
  await exchanger.exchangeInParallel(steps)
}

/** Creates the transport: `fetch` from the options, or Node's HTTP client. */
export function createTransport({ baseUrl, fetch, tls, proxy }: ResolvedOptions): Transport {
  if (fetch !== undefined) return createFetchTransport(fetch)
  return createNodeTransport({ url: new URL(baseUrl), tls, proxy })
}

/**
 * Uses up the throttle key's limit. Then sends one request after `Retry-After`, and another one after `Reset` if that
 * is later.
 */
async function burn(exchanger: Exchanger, settings: ResolvedOptions): Promise<void> {
  const rejection = await burnUntil429(exchanger, settings)
  if (findKeyRejection(exchanger.getState().transcript.exchanges) === undefined)
    await exchanger.exchange(stepAfterBurn)
  if (rejection !== undefined) await requestAfterWaits(rejection, exchanger, settings.clock)
}

/**
 * Sends requests with the throttle key until the first 429. Sends a group in parallel as soon as few requests remain.
 * Resolves to the exchange that was rejected.
 */
async function burnUntil429(
  exchanger: Exchanger,
  { maxRequests: most = maxBurnRequests }: ResolvedOptions,
): Promise<Exchange | undefined> {
  let [bound, left, isGroupSent] = [1, most, false]
  for (let n = 1; n <= Math.min(bound, left); n++) {
    const exchange = await exchanger.exchange(createBurnStep(`burn-${n}`, true))
    if (exchange === undefined || isRateLimited(exchange)) return exchange
    const { remaining } = exchange.response === undefined ? {} : readLimitNumbers(exchange)
    if (n === 1) bound = computeBurnBound(exchange, most)
    if (n === 1 || isGroupSent || remaining === undefined || remaining > maxRemaining) continue
    const parallelRequests = remaining + requestsBeyondLimit
    isGroupSent =
      n + parallelRequests <= left && (await exchanger.exchangeInParallel(createLimitSteps(parallelRequests)))
    if (isGroupSent) left -= parallelRequests
  }
  return undefined
}

async function requestAfterWaits(rejection: Exchange, exchanger: Exchanger, clock: Clock): Promise<void> {
  const retryAfterSeconds = readRetryAfterSeconds(exchanger.getState().transcript, rejection)
  if (retryAfterSeconds === undefined || retryAfterSeconds > maxWaitSeconds) return
  await clock.sleep((retryAfterSeconds + marginSeconds) * 1000)
  const afterWait = await exchanger.exchange(createBurnStep('after-burn'))
  if (afterWait?.response === undefined) return
  const secondsUntilRestored = computeSecondsUntilRestored(exchanger.getState().transcript)
  if (secondsUntilRestored === undefined) return
  await clock.sleep((secondsUntilRestored + marginSeconds) * 1000)
  await exchanger.exchange(createBurnStep('after-reset'))
}

/**
 * Returns how many requests may be needed to reach the limit: twice the first `Remaining` plus ten, as a fixed window
 * may reset during these requests. Returns 0 if the response shows no limit.
 */
function computeBurnBound({ response }: Exchange, most = maxBurnRequests): number {
  if (response === undefined || !isSuccess(response.status)) return 0
  const { remaining } = readLimitNumbers({ response })
  return remaining === undefined ? 0 : Math.min(most, 2 * remaining + 10)
}

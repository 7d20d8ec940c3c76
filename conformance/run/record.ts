import { createFetchTransport } from '../network/fetch-transport.ts'
import { createNodeTransport } from '../network/node-transport.ts'
import type { Transport } from '../network/transport.ts'
import { countDue, createPhases } from '../steps/phases.ts'
import type { Step } from '../steps/step.ts'
import { burnStep, openingSteps, stepAfterBurn } from '../steps/steps-read.ts'
import { mostRequests } from '../transcript/bounds.ts'
import { acceptedInvalid, mostAcceptedInvalid } from '../transcript/creations.ts'
import { readLimitNumbers } from '../transcript/rate-limits.ts'
import { findKeyRejection, isSuccess } from '../transcript/responses.ts'
import { countRequests, type Exchange, type Transcript } from '../transcript/transcript.ts'
import { longestWait, margin, retryAfter, untilRestored } from '../transcript/waits.ts'
import { createExchanger, type Exchanger } from './exchanger.ts'
import { type ResolvedOptions, type RunOptions, readOptions } from './options.ts'
import type { Clock } from './pace.ts'
import { mostBurnt } from './plan.ts'
import { checkAfter, isRateLimited } from './surprises.ts'

/**
 * Sends the requests of a profile, one at a time, and records each exchange. Judges nothing.
 *
 * @param options Where to send the requests, and which.
 * @returns The transcript of the run, without secrets.
 * @throws {TypeError} An option is invalid. What the deployment does is recorded and never throws.
 *
 * @example
 * import { judge, record } from 'pet-adoption-service/conformance'
 *
 * const transcript = await record({ baseUrl: 'https://api.example.com/v1', key: 'key-of-a-test-account' })
 * console.log(transcript.exchanges.length, judge(transcript).summary)
 */
export async function record(options: RunOptions): Promise<Transcript> {
  const settings = readOptions(options)
  const transport = createTransport(settings)
  try {
    const exchanger = createExchanger(settings, transport)
    for (const step of openingSteps) await perform(step, [], exchanger, settings)
    const isEmpty = exchanger.soFar().known.petId === undefined
    const phases = createPhases(settings.profile, isEmpty)
    const { burn: burns, last } = phases
    const first = phases.first.slice(openingSteps.length)
    const steps = [...first, ...last]
    for (const [n, step] of steps.entries()) {
      if (burns && n === first.length) await burn(exchanger, settings)
      await perform(step, steps.slice(n + 1), exchanger, settings)
    }
    return exchanger.soFar().transcript
  } finally {
    transport.close()
  }
}

/** Sends the request of a step, unless it is not called for. */
async function perform(
  step: Step,
  later: readonly Step[],
  exchanger: Exchanger,
  { clock, profile }: ResolvedOptions,
): Promise<void> {
  const { transcript, known } = exchanger.soFar()
  if (transcript.endedEarly !== undefined) return
  if (step.credential === 'key' && findKeyRejection(transcript.exchanges) !== undefined) return
  if (step.creates === 'invalid' && acceptedInvalid(transcript) >= mostAcceptedInvalid) return
  if (step.when?.holds(known) === false) return
  const due = step.priority === undefined ? 0 : countDue(later, known, step.priority)
  if (countRequests(transcript) + due >= mostRequests[profile]) return
  if (step.after !== undefined) await clock.sleep(step.after)
  await exchanger.exchange(step)
  const check = checkAfter(exchanger.soFar().transcript)
  if (check !== undefined) await exchanger.exchange(check)
}

/** Returns the transport of a run: over the function that is given as `fetch`, else over `node:http`. */
export function createTransport({ baseUrl, fetch, tls, proxy }: ResolvedOptions): Transport {
  if (fetch !== undefined) return createFetchTransport(fetch)
  return createNodeTransport({ url: new URL(baseUrl), tls, proxy })
}

/** Drives the throttle key to its first 429, and sends one more request after its `Retry-After` and `Reset` each. */
async function burn(exchanger: Exchanger, settings: ResolvedOptions): Promise<void> {
  const rejection = await burnOut(exchanger, settings)
  if (findKeyRejection(exchanger.soFar().transcript.exchanges) === undefined)
    await exchanger.exchange(stepAfterBurn)
  if (rejection !== undefined) await returnAfter(rejection, exchanger, settings.clock)
}

/** Sends requests up to the bound, and returns the first that is rejected with 429. */
async function burnOut(
  exchanger: Exchanger,
  { maxRequests }: ResolvedOptions,
): Promise<Exchange | undefined> {
  let bound = 1
  for (let n = 1; n <= bound; n++) {
    const exchange = await exchanger.exchange(burnStep(`burn-${n}`, true))
    if (exchange === undefined || isRateLimited(exchange.outcome)) return exchange
    if (n === 1) bound = boundAfter(exchange, maxRequests)
  }
  return undefined
}

async function returnAfter(rejection: Exchange, exchanger: Exchanger, clock: Clock): Promise<void> {
  const wait = retryAfter(exchanger.soFar().transcript, rejection)
  if (wait === undefined || wait > longestWait) return
  await clock.sleep((wait + margin) * 1000)
  const after = await exchanger.exchange(burnStep('after-burn'))
  if (after === undefined || after.outcome.kind === 'error') return
  const rest = untilRestored(exchanger.soFar().transcript)
  if (rest === undefined) return
  await clock.sleep((rest + margin) * 1000)
  await exchanger.exchange(burnStep('after-reset'))
}

/**
 * Returns how many requests may be needed to reach the limit: twice the `Remaining` of the first response and ten more,
 * as a fixed window may reset on the way. Returns 0 if the response is not a success or has no `Remaining`.
 */
function boundAfter({ outcome }: Exchange, most = mostBurnt): number {
  if (outcome.kind === 'error' || !isSuccess(outcome.response.status)) return 0
  const { remaining } = readLimitNumbers(outcome)
  return remaining === undefined ? 0 : Math.min(most, 2 * remaining + 10)
}

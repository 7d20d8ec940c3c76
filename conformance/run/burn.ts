import { burnStep, stepAfterBurn } from '../steps/steps-read.ts'
import { wholeNumber } from '../transcript/rate-limits.ts'
import { header, isSuccess, keyRejection } from '../transcript/responses.ts'
import type { Exchange } from '../transcript/transcript.ts'
import { longestWait, retryAfter, untilRestored } from '../transcript/waits.ts'
import type { Clock } from './clock.ts'
import type { Exchanger } from './exchanger.ts'
import type { Settings } from './options.ts'
import { mostBurnt } from './plan.ts'
import { isRateLimited } from './surprises.ts'

/** Added to the wait of `Retry-After`, in milliseconds. */
const margin = 1000

/** Drives the throttle key to its first 429, and sends one more request each after its `Retry-After` and its `Reset`. */
export async function burn(exchanger: Exchanger, settings: Settings): Promise<void> {
  const rejection = await burnOut(exchanger, settings)
  if (keyRejection(exchanger.soFar().transcript.exchanges) === undefined)
    await exchanger.exchange(stepAfterBurn)
  if (rejection !== undefined) await returnAfter(rejection, exchanger, settings.clock)
}

/** Sends requests up to the bound, and returns the first that is rejected with 429. */
async function burnOut(exchanger: Exchanger, { maxRequests }: Settings): Promise<Exchange | undefined> {
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
  await clock.sleep(wait * 1000 + margin)
  const after = await exchanger.exchange(burnStep('after-burn'))
  if (after === undefined || after.outcome.kind === 'error') return
  const rest = untilRestored(exchanger.soFar().transcript)
  if (rest === undefined) return
  await clock.sleep(rest * 1000 + margin)
  await exchanger.exchange(burnStep('after-reset'))
}

/**
 * Returns how many requests may be needed to reach the limit: twice the `Remaining` of the first response and ten more,
 * as a fixed window may reset on the way. Returns 0 if the response is no success or has no `Remaining`.
 */
function boundAfter({ outcome }: Exchange, most = mostBurnt): number {
  if (outcome.kind === 'error' || !isSuccess(outcome.response.status)) return 0
  const remaining = wholeNumber(header(outcome.response, 'x-ratelimit-remaining'))
  return remaining === undefined ? 0 : Math.min(most, 2 * remaining + 10)
}

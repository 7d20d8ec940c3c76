import type { Clock } from './clock.ts'
import type { Exchanger } from './exchanger.ts'
import type { Settings } from './options.ts'
import { mostBurnt } from './plan.ts'
import type { Step } from './steps.ts'
import { wholeNumber } from './transcript/rate-limits.ts'
import { header, isSuccess } from './transcript/responses.ts'
import { longestWait, retryAfter } from './transcript/retry-after.ts'
import type { Exchange } from './transcript/transcript.ts'

/** Added to the wait of `Retry-After`, in milliseconds. */
const margin = 1000

function burnStep(id: string, mayBeRateLimited?: true): Step {
  const step = { id, credential: 'throttle-key', method: 'GET', target: () => '/pets?limit=1' } as const
  return mayBeRateLimited ? { ...step, mayBeRateLimited } : step
}

/** Drives the throttle key to its first 429, waits for its `Retry-After` and a margin, and sends one more request. */
export async function burn(exchanger: Exchanger, { clock, maxRequests }: Settings): Promise<void> {
  let bound = 1
  for (let n = 1; n <= bound; n++) {
    const exchange = await exchanger.exchange(burnStep(`burn-${n}`, true))
    if (exchange === undefined) return
    if (isRateLimited(exchange)) return returnAfter(exchange, exchanger, clock)
    if (n === 1) bound = boundAfter(exchange, maxRequests)
  }
}

async function returnAfter(rejection: Exchange, exchanger: Exchanger, clock: Clock): Promise<void> {
  const wait = retryAfter(exchanger.transcript(), rejection)
  if (wait === undefined || wait > longestWait) return
  await clock.sleep(wait * 1000 + margin)
  await exchanger.exchange(burnStep('after-burn'))
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

function isRateLimited({ outcome }: Exchange): boolean {
  return outcome.kind === 'response' && outcome.response.status === 429
}

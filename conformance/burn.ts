import type { Clock } from './clock.ts'
import type { Exchanger } from './exchanger.ts'
import type { Settings } from './options.ts'
import { mostBurnt } from './plan.ts'
import type { Step } from './steps.ts'
import { wholeNumber } from './transcript/rate-limits.ts'
import { header, isSuccess } from './transcript/responses.ts'
import { longestWait, retryAfter } from './transcript/retry-after.ts'
import type { Exchange } from './transcript/transcript.ts'

/** Past what the server says it will ask for, in milliseconds. */
const margin = 1000

function asks(id: string, mayBeRateLimited?: true): Step {
  const step = { id, credential: 'throttle-key', method: 'GET', target: () => '/pets?limit=1' } as const
  return mayBeRateLimited ? { ...step, mayBeRateLimited } : step
}

/** Drives the throttle key to its first 429, waits what it was told and a margin, and asks once. */
export async function burn(exchanger: Exchanger, { clock, maxRequests }: Settings): Promise<void> {
  let bound = 1
  for (let n = 1; n <= bound; n++) {
    const exchange = await exchanger.exchange(asks(`burn-${n}`, true))
    if (exchange === undefined) return
    if (isRateLimited(exchange)) return comeBack(exchange, exchanger, clock)
    if (n === 1) bound = boundAfter(exchange, maxRequests)
  }
}

async function comeBack(rejection: Exchange, exchanger: Exchanger, clock: Clock): Promise<void> {
  const wait = retryAfter(exchanger.transcript(), rejection)
  if (wait === undefined || wait > longestWait) return
  await clock.sleep(wait * 1000 + margin)
  await exchanger.exchange(asks('after-burn'))
}

/**
 * Twice what the first response says remains and ten, so that the edge of a fixed window cannot hide the limit. Where
 * nothing was served, or the response does not say what remains, there is nothing to drive to a limit.
 */
function boundAfter({ outcome }: Exchange, most = mostBurnt): number {
  if (outcome.kind === 'error' || !isSuccess(outcome.response.status)) return 0
  const remaining = wholeNumber(header(outcome.response, 'x-ratelimit-remaining'))
  return remaining === undefined ? 0 : Math.min(most, 2 * remaining + 10)
}

function isRateLimited({ outcome }: Exchange): boolean {
  return outcome.kind === 'response' && outcome.response.status === 429
}

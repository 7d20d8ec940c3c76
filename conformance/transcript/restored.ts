import { type RecordedResponse, responsesTo } from './responses.ts'
import { longestWait, retryAfter, untilReset } from './retry-after.ts'
import type { Transcript } from './transcript.ts'

/** Added to a wait, in seconds. */
const margin = 1

/** Returns the 429 of the burn. */
export function rejectionOf(transcript: Transcript): RecordedResponse | undefined {
  return responsesTo(transcript, 'throttle-key').find(
    ({ id, response }) => id.startsWith('burn-') && response.status === 429,
  )
}

/** Whether the limit resets later than the `Retry-After` of the 429 passes, so that there is more to wait for. */
export function resetsLater(transcript: Transcript, rejection: RecordedResponse): boolean {
  const wait = retryAfter(transcript, rejection.exchange) ?? 0
  return (untilReset(transcript, rejection) ?? 0) > wait + margin
}

/**
 * Returns how long after the response that followed the `Retry-After` the limit resets, in seconds. Returns `undefined` if
 * it has reset by then, if a header is missing, or if it is further away than the suite waits.
 */
export function untilRestored(transcript: Transcript): number | undefined {
  const rejection = rejectionOf(transcript)
  const after = responsesTo(transcript, 'throttle-key').find(({ id }) => id === 'after-burn')
  if (rejection === undefined || after === undefined || !resetsLater(transcript, rejection)) return undefined
  if ((untilReset(transcript, rejection) ?? 0) > longestWait) return undefined
  const rest = untilReset(transcript, after)
  return rest !== undefined && rest <= longestWait ? Math.max(0, rest) : undefined
}

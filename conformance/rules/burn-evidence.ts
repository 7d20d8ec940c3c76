import { countLeaked, getSpanMs, readLimitNumbers } from '../transcript/rate-limits.ts'
import { computeEnd, listResponsesFor, type RecordedResponse } from '../transcript/responses.ts'
import type { Transcript } from '../transcript/transcript.ts'
import { computeSecondsToReset } from '../transcript/waits.ts'

/** Lists the responses to the requests that use up the throttle key's limit, without parallel requests. */
export function listBurnResponses(transcript: Transcript): readonly RecordedResponse[] {
  return listResponsesFor(transcript, 'throttle-key').filter(({ id }) => id.startsWith('burn-'))
}

/** The reason if {@link isFalling} is false. */
export const neverDecreased = 'X-RateLimit-Remaining never decreased, so this operation may have no limit'

export function listRemaining(responses: readonly RecordedResponse[]): readonly number[] {
  return responses.flatMap((recorded) => readLimitNumbers(recorded).remaining ?? [])
}

export function isFalling(remaining: readonly number[]): boolean {
  return remaining.some((now, n) => now < (remaining[n - 1] ?? 0))
}

/**
 * Computes how many requests a caller can regain between two responses. Allows for a bucket that leaks evenly until
 * `Reset`, and for a sliding window in which requests expire after a minute.
 *
 * @param burnt The earlier requests with the throttle key.
 */
export function computeGain(
  transcript: Transcript,
  burnt: readonly RecordedResponse[],
  before: RecordedResponse,
  last: RecordedResponse,
): number {
  const { limit = 0, remaining = 0 } = readLimitNumbers(before)
  const used = limit - remaining
  const elapsedMs = getSpanMs(before, last)
  // `Reset` is rounded up to whole seconds.
  const resetMs = ((computeSecondsToReset(transcript, before) ?? 0) - 1) * 1000
  const leaked = resetMs > elapsedMs ? (used * elapsedMs) / resetMs : used
  const windowMs = 60_000
  const expired = burnt.filter(
    ({ exchange: { at } }) => at + windowMs >= before.exchange.at && at + windowMs <= computeEnd(last),
  )
  return Math.max(leaked, countLeaked(limit, elapsedMs), expired.length)
}

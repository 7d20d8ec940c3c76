import { readHttpDate } from './http-date.ts'
import { standingOf } from './rate-limits.ts'
import { header, type RecordedResponse } from './responses.ts'
import type { Exchange, Transcript } from './transcript.ts'

/** The longest wait of a run, in seconds. */
export const longestWait = 300

/**
 * Returns the `Retry-After` of a response in seconds (RFC 9110, section 10.2.3). An HTTP-date counts from the `Date` of
 * the response, or from the suite's clock if there is none. Returns `undefined` if the header is missing or invalid.
 */
export function retryAfter(
  transcript: Transcript,
  { at, outcome }: Pick<Exchange, 'at' | 'outcome'>,
): number | undefined {
  if (outcome.kind === 'error') return undefined
  const text = header(outcome.response, 'retry-after')?.trim() ?? ''
  if (/^\d+$/.test(text)) return Number(text)
  const until = readHttpDate(text)
  if (until === undefined) return undefined
  const ours = Date.parse(transcript.startedAt) + at + outcome.response.ms
  const now = readHttpDate(header(outcome.response, 'date') ?? '') ?? ours
  return Math.max(0, (until - now) / 1000)
}

/** When a response was sent, in Unix seconds: its `Date`, or the clock of the suite. */
export function sentAt(transcript: Transcript, { exchange, response }: RecordedResponse): number {
  const date = readHttpDate(header(response, 'date') ?? '')
  return (date ?? Date.parse(transcript.startedAt) + exchange.at + response.ms) / 1000
}

/** Returns how long after a response its limit resets, in seconds, negative if before; `undefined` without a valid header. */
export function untilReset(transcript: Transcript, recorded: RecordedResponse): number | undefined {
  const { reset } = standingOf(recorded)
  return reset === undefined ? undefined : reset - sentAt(transcript, recorded)
}

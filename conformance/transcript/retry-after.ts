import { readHttpDate } from './http-date.ts'
import { header } from './responses.ts'
import type { Exchange, Transcript } from './transcript.ts'

/** The longest wait of a run, in seconds. */
export const longestWait = 300

/**
 * Returns the `Retry-After` of a response in seconds (RFC 9110, section 10.2.3). An HTTP-date counts from the `Date` of
 * the response, or from the suite's clock if there is none. Returns `undefined` if the header is missing or invalid.
 */
export function retryAfter(transcript: Transcript, { at, outcome }: Exchange): number | undefined {
  if (outcome.kind === 'error') return undefined
  const text = header(outcome.response, 'retry-after')?.trim() ?? ''
  if (/^\d+$/.test(text)) return Number(text)
  const until = readHttpDate(text)
  if (until === undefined) return undefined
  const ours = Date.parse(transcript.startedAt) + at + outcome.response.ms
  const now = readHttpDate(header(outcome.response, 'date') ?? '') ?? ours
  return Math.max(0, (until - now) / 1000)
}

import { readHttpDate } from './http-date.ts'
import { header } from './responses.ts'
import type { Exchange, Transcript } from './transcript.ts'

/** A longer wait than this is not waited for, in seconds. */
export const longestWait = 300

/**
 * How long a response asks to wait, in seconds (RFC 9110, section 10.2.3): an HTTP-date counts from the response's `Date`,
 * else from our clock. `undefined` where there is no `Retry-After`, or none that can be read.
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

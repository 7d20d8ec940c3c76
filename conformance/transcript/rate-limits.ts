import { memoize } from './memoize.ts'
import {
  computeEnd,
  getHeader,
  hasUnknownPath,
  isGatewayStatus,
  listResponses,
  type RecordedResponse,
} from './responses.ts'
import type { Transcript } from './transcript.ts'

/** The rate limit headers that section 8 defines. */
export const limitHeaders = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'] as const
export type LimitHeader = (typeof limitHeaders)[number]

/** The numbers in the rate limit headers. A number is `undefined` if its header is missing or invalid. */
export interface LimitNumbers {
  readonly limit: number | undefined
  readonly remaining: number | undefined
  /** When the limit resets, in seconds since the epoch. */
  readonly reset: number | undefined
}

export function readLimitHeader(
  { response }: Pick<RecordedResponse, 'response'>,
  name: LimitHeader,
): string | undefined {
  return getHeader(response, name.toLowerCase())
}

export function lacksLimitHeaders(recorded: RecordedResponse): boolean {
  return limitHeaders.every((name) => readLimitHeader(recorded, name) === undefined)
}

export function readLimitNumbers(recorded: Pick<RecordedResponse, 'response'>): LimitNumbers {
  const [limit, remaining, reset] = limitHeaders.map((name) =>
    parseWholeNumber(readLimitHeader(recorded, name)),
  )
  return { limit, remaining, reset }
}

/** Parses a number without a fraction, such as `60` or `60.0`. */
export function parseWholeNumber(text: string | undefined): number | undefined {
  return text !== undefined && /^\d+(?:\.0+)?$/.test(text.trim()) ? Number(text) : undefined
}

/** Lists the responses that must have the rate limit headers. Unknown paths and gateway errors are left out. */
export const listLimitedResponses: (transcript: Transcript) => readonly RecordedResponse[] = memoize(
  (transcript) =>
    listResponses(transcript).filter(
      ({ id, response: { status } }) => !hasUnknownPath(id) && !isGatewayStatus(status),
    ),
)

/** Returns how many requests leak from a bucket in `ms` milliseconds. `limit` is per minute. */
export function countLeaked(limit: number, ms: number): number {
  return (limit * ms) / 60_000
}

/** Returns the longest possible time between the arrivals of two requests at the server, in milliseconds. */
export function getSpanMs(first: RecordedResponse, last: RecordedResponse): number {
  return computeEnd(last) - first.exchange.at
}

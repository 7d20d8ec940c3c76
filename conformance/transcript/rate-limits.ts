import { memoize } from './memoize.ts'
import { hasUnknownPath, header, isGateway, type RecordedResponse, responses } from './responses.ts'
import type { Transcript } from './transcript.ts'

/** The names of the three headers of section 8. */
export const limitHeaders = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'] as const
export type LimitHeader = (typeof limitHeaders)[number]

/** The values of the three headers; `undefined` if a header is missing or not a whole number. */
export interface LimitNumbers {
  readonly limit: number | undefined
  readonly remaining: number | undefined
  /** Unix seconds. */
  readonly reset: number | undefined
}

/** Returns one of the three headers of a response, as sent. */
export function readLimitHeader(
  { response }: Pick<RecordedResponse, 'response'>,
  name: LimitHeader,
): string | undefined {
  return header(response, name.toLowerCase())
}

/** Returns whether a response has none of the three headers. */
export function lacksLimitHeaders(recorded: RecordedResponse): boolean {
  return limitHeaders.every((name) => readLimitHeader(recorded, name) === undefined)
}

/** Returns the values of the three headers of a response. */
export function readLimitNumbers(recorded: Pick<RecordedResponse, 'response'>): LimitNumbers {
  const [limit, remaining, reset] = limitHeaders.map((name) =>
    parseWholeNumber(readLimitHeader(recorded, name)),
  )
  return { limit, remaining, reset }
}

/** Returns a header's value as a whole number from 0, such as `60` or `60.0`; `undefined` for other text. */
export function parseWholeNumber(text: string | undefined): number | undefined {
  return text !== undefined && /^\d+(?:\.0+)?$/.test(text.trim()) ? Number(text) : undefined
}

/** Returns the responses that must have the three headers: all except a gateway's, and those to an unknown path. */
export const limitedResponses: (transcript: Transcript) => readonly RecordedResponse[] = memoize(
  (transcript) =>
    responses(transcript).filter(({ id, response: { status } }) => !hasUnknownPath(id) && !isGateway(status)),
)

/** Returns how many requests a bucket that fills evenly gains in a time in milliseconds. */
export function computeLeak(limit: number, ms: number): number {
  return (limit * ms) / 60_000
}

/** Returns the longest time between the arrivals of two requests at the server, in milliseconds. */
export function measureSpan(first: RecordedResponse, last: RecordedResponse): number {
  return last.exchange.at + last.response.ms - first.exchange.at
}

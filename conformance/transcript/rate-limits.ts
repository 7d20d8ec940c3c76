import { header, isGateway, type RecordedResponse, responses } from './responses.ts'
import type { Transcript } from './transcript.ts'

/** The three headers of section 8, as section 8 spells them. */
export const limitHeaders = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'] as const
export type LimitHeader = (typeof limitHeaders)[number]

/** What the three headers of a response say; `undefined` where one is missing or no whole number. */
export interface Standing {
  readonly limit: number | undefined
  readonly remaining: number | undefined
  /** Unix seconds. */
  readonly reset: number | undefined
}

/** A header of the limits as it was sent. */
export function limitHeader({ response }: RecordedResponse, name: LimitHeader): string | undefined {
  return header(response, name.toLowerCase())
}

/** Reads the three headers of a response. */
export function standingOf(recorded: RecordedResponse): Standing {
  const [limit, remaining, reset] = limitHeaders.map((name) => wholeNumber(limitHeader(recorded, name)))
  return { limit, remaining, reset }
}

/** Whether a header's text is a whole number, and none negative. */
export function wholeNumber(text: string | undefined): number | undefined {
  return text !== undefined && /^\d+$/.test(text.trim()) ? Number(text) : undefined
}

/** The responses that are to carry the headers: a gateway need not, nor whatever rejected the run. */
export function limitedResponses(transcript: Transcript): readonly RecordedResponse[] {
  return responses(transcript).filter(
    ({ exchange, response: { status } }) =>
      !isGateway(status) && (status !== 429 || exchange.credential === 'throttle-key'),
  )
}

/** What a bucket that drips evenly has gained in a span of milliseconds, in requests. */
export function dripped(limit: number, ms: number): number {
  return (limit * ms) / 60_000
}

/** The longest that can have passed between the requests of two responses, in milliseconds. */
export function spanOf(first: RecordedResponse, last: RecordedResponse): number {
  return last.exchange.at + last.response.ms - first.exchange.at
}

import { limitedResponses, limitHeader, wholeNumber } from '../transcript/rate-limits.ts'
import { header, type RecordedResponse } from '../transcript/responses.ts'
import type { Transcript } from '../transcript/transcript.ts'
import { readHttpDate } from '../transcript/waits.ts'
import type { FaultKind } from './cause.ts'
import { repairable, withHeader } from './repair.ts'

/** A wrong form of `X-RateLimit-Reset`. */
interface ResetForm {
  readonly id: string
  /** Returns the Unix time in seconds that a value in this form means; `undefined` for another form. */
  readonly read: (value: string, sent: number) => number | undefined
  readonly looksLike: string
}

/** The furthest time that a limit of a day may reset, in seconds. */
const day = 25 * 60 * 60 + 120
/** A Unix time in seconds that is in the past by decades, and one in milliseconds. */
const farPast = 1e9
const inMilliseconds = 1e12

/** The forms in which deployments write a time that is not a Unix time in seconds. */
const resetForms: readonly ResetForm[] = [
  {
    id: 'reset-in-seconds-to-go',
    read: (value, sent) => within(wholeNumber(value), 0, day, (left) => sent + left),
    looksLike: 'seconds to go',
  },
  {
    id: 'reset-in-milliseconds-to-go',
    read: (value, sent) => within(wholeNumber(value), day, farPast, (left) => sent + Math.ceil(left / 1000)),
    looksLike: 'milliseconds to go',
  },
  {
    id: 'reset-in-milliseconds',
    read: (value) => within(wholeNumber(value), inMilliseconds, 1e14, (time) => Math.ceil(time / 1000)),
    looksLike: 'a Unix time in milliseconds',
  },
  {
    id: 'reset-with-fraction',
    read: (value) => (/^\d{9,13}\.\d+$/.test(value) ? Math.ceil(Number(value)) : undefined),
    looksLike: 'a Unix time with a fraction',
  },
  {
    id: 'reset-as-date',
    read: (value) => {
      const time = readHttpDate(value) ?? (/^\d{4}-\d\d-\d\dT/.test(value) ? Date.parse(value) : Number.NaN)
      return Number.isNaN(time) ? undefined : Math.ceil(time / 1000)
    },
    looksLike: 'a date',
  },
]

/** `X-RateLimit-Reset` has another form than the interface requires. */
export const resetFaults: readonly FaultKind[] = resetForms.map(({ id, read, looksLike }) => ({
  id,
  find: (transcript) => {
    const limited = new Set(limitedResponses(transcript))
    return repairable(
      transcript,
      (recorded) => {
        const value = limited.has(recorded) ? limitHeader(recorded, 'X-RateLimit-Reset')?.trim() : undefined
        const time = value === undefined ? undefined : read(value, sentAt(transcript, recorded))
        return time === undefined
          ? undefined
          : { headers: withHeader(recorded.response, 'x-ratelimit-reset', String(time)) }
      },
      ([first]) => ({
        title: `X-RateLimit-Reset: ${limitHeader(first, 'X-RateLimit-Reset')} looks like ${looksLike}; the interface requires a Unix time in seconds`,
        advice: `send the time at which the limit resets, such as ${Math.floor(Date.parse(transcript.startedAt) / 1000) + 60}`,
      }),
    )
  },
}))

/** The time of the server when it sent a response, as far as it says, in Unix seconds. */
function sentAt({ startedAt }: Transcript, { exchange, response }: RecordedResponse): number {
  const date = readHttpDate(header(response, 'date') ?? '') ?? Date.parse(startedAt) + exchange.at
  return Math.ceil(date / 1000)
}

function within(
  value: number | undefined,
  from: number,
  to: number,
  time: (value: number) => number,
): number | undefined {
  return value !== undefined && value >= from && value < to ? time(value) : undefined
}

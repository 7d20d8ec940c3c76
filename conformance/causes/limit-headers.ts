import { limitedResponses, limitHeader, limitHeaders, wholeNumber } from '../transcript/rate-limits.ts'
import { header, type RecordedResponse } from '../transcript/responses.ts'
import type { Transcript } from '../transcript/transcript.ts'
import { readHttpDate } from '../transcript/waits.ts'
import { brokenIn, type FaultKind, fault, repairable, scopeOf, subject, withHeader } from './cause.ts'

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

/** The names that other conventions have for the three headers. The first part is that of the name. */
const otherPrefixes = ['ratelimit-', 'x-rate-limit-', 'rate-limit-', 'x-ratelimit-requests-']

/** The three headers of section 8 are missing or have other names, or the reset has another form. */
export const limitHeaderFaults: readonly FaultKind[] = [
  repairable({
    id: 'renamed-limit-headers',
    repair: (recorded, run) => (limitedResponses(run).includes(recorded) ? renamed(recorded) : undefined),
    title: (first) =>
      `The rate-limit headers have other names, such as ${otherName(first, 'X-RateLimit-Limit') ?? otherName(first, 'X-RateLimit-Remaining')}`,
    advice: `send ${limitHeaders.join(', ')}, besides the others if clients use them`,
  }),
  fault({
    id: 'no-limit-headers',
    least: 2,
    shownBy: (transcript) =>
      limitedResponses(transcript).filter((recorded) =>
        limitHeaders.every((name) => limitHeader(recorded, name) === undefined),
      ),
    title: (_, without, run) =>
      `${subject(scopeOf(without, limitedResponses(run)), 'lacks', 'lack')} the three rate-limit headers`,
    advice: 'add them where every response passes, outside of the checks that may end a request early',
    explains: brokenIn('RATE-1', 'RATE-2', 'RATE-3', 'RATE-11'),
  }),
  ...resetForms.map(({ id, read, looksLike }) =>
    repairable({
      id,
      repair(recorded, run) {
        const isLimited = limitedResponses(run).includes(recorded)
        const value = isLimited ? limitHeader(recorded, 'X-RateLimit-Reset')?.trim() : undefined
        const time = value === undefined ? undefined : read(value, sentAt(run, recorded))
        return time === undefined
          ? undefined
          : { headers: withHeader(recorded.response, 'x-ratelimit-reset', String(time)) }
      },
      title: (first) =>
        `X-RateLimit-Reset: ${limitHeader(first, 'X-RateLimit-Reset')} looks like ${looksLike}; the interface requires a Unix time in seconds`,
      advice: (_first, _all, { startedAt }) =>
        `send the time at which the limit resets, such as ${Math.floor(Date.parse(startedAt) / 1000) + 60}`,
    }),
  ),
]

function renamed(
  recorded: RecordedResponse,
): { headers: RecordedResponse['response']['headers'] } | undefined {
  const missing = limitHeaders.filter((name) => limitHeader(recorded, name) === undefined)
  const added = missing.flatMap((name) => {
    const other = otherName(recorded, name)
    const value = other === undefined ? undefined : header(recorded.response, other)
    return value === undefined ? [] : [[name.toLowerCase(), value] as const]
  })
  return added.length === 0 ? undefined : { headers: [...recorded.response.headers, ...added] }
}

function otherName({ response }: RecordedResponse, name: (typeof limitHeaders)[number]): string | undefined {
  const last = name.split('-').at(-1)?.toLowerCase()
  return otherPrefixes
    .map((prefix) => `${prefix}${last}`)
    .find((other) => header(response, other) !== undefined)
}

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

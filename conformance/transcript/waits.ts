import { memoize } from './memoize.ts'
import { readLimitNumbers } from './rate-limits.ts'
import { computeEnd, findResponse, getHeader, listResponsesFor, type RecordedResponse } from './responses.ts'
import type { Exchange, Outcome, ReceivedResponse, Transcript } from './transcript.ts'

/** Maximum time that a run waits for a limit to reset, in seconds. */
export const maxWaitSeconds = 300

/**
 * Returns a response's `Retry-After` in seconds (RFC 9110, section 10.2.3). A date counts from the `Date` header, or
 * from the suite's clock if `Date` is missing. Returns `undefined` if `Retry-After` is missing or invalid.
 */
export function readRetryAfterSeconds(
  transcript: Transcript,
  exchange: Outcome & Pick<Exchange, 'at'>,
): number | undefined {
  const { response } = exchange
  if (response === undefined) return undefined
  const retryAfterText = getHeader(response, 'retry-after')?.trim() ?? ''
  if (/^\d+$/.test(retryAfterText)) return Number(retryAfterText)
  const retryTime = readHttpDate(retryAfterText)
  if (retryTime === undefined) return undefined
  const responseTime = readDate(response) ?? computeReceivedAt(transcript, { exchange, response })
  return Math.max(0, (retryTime - responseTime) / 1000)
}

/** Returns the `Date` header, in milliseconds since the epoch. */
export const readDate: (response: ReceivedResponse) => number | undefined = memoize((response) =>
  readHttpDate(getHeader(response, 'date') ?? ''),
)

/** Returns when the suite received a response, by the suite's clock, in milliseconds since the epoch. */
export function computeReceivedAt(
  { startedAt }: Transcript,
  recorded: Parameters<typeof computeEnd>[0],
): number {
  return Date.parse(startedAt) + computeEnd(recorded)
}

/**
 * Returns when a response was sent, in seconds since the epoch: its `Date` header, or the suite's time if that header
 * is missing.
 */
export function readUnixTime(transcript: Transcript, recorded: RecordedResponse): number {
  return (readDate(recorded.response) ?? computeReceivedAt(transcript, recorded)) / 1000
}

/** Returns how many seconds after a response its limit resets. */
export function computeSecondsToReset(
  transcript: Transcript,
  recorded: RecordedResponse,
): number | undefined {
  const { reset } = readLimitNumbers(recorded)
  return reset === undefined ? undefined : reset - readUnixTime(transcript, recorded)
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const dayPattern = '(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)'
const longDayPattern = '(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day'
const monthPattern = `(?<month>${months.join('|')})`
const timePattern = '(?<hour>[01]\\d|2[0-3]):(?<minute>[0-5]\\d):(?<second>[0-5]\\d|60)'

/** The three date formats in RFC 9110, section 5.6.7. */
const dateFormats = [
  new RegExp(`^${dayPattern}, (?<date>\\d\\d) ${monthPattern} (?<year>\\d{4}) ${timePattern} GMT$`),
  new RegExp(`^${longDayPattern}, (?<date>\\d\\d)-${monthPattern}-(?<year>\\d\\d) ${timePattern} GMT$`),
  // The obsolete `asctime` format. It pads the day with a space, which an intermediary may have removed.
  new RegExp(`^${dayPattern} ${monthPattern} (?<date>[ \\d]?\\d) ${timePattern} (?<year>\\d{4})$`),
]

/**
 * Parses an HTTP date. Returns milliseconds since the epoch, or `undefined` if the text is not a date. A year with 2
 * digits is in this century.
 */
export function readHttpDate(text: string): number | undefined {
  const dateParts = dateFormats.map((form) => form.exec(text)?.groups).find((groups) => groups !== undefined)
  if (dateParts === undefined) return undefined
  const { year = '', month: name = '', ...others } = dateParts
  const [date = 0, hour = 0, minute = 0, second = 0] = ['date', 'hour', 'minute', 'second'].map((part) =>
    Number(others[part]),
  )
  const midnight = Date.UTC(Number(year.padStart(4, '20')), months.indexOf(name), date)
  const isDay = new Date(midnight).getUTCDate() === date
  return isDay ? midnight + ((hour * 60 + minute) * 60 + second) * 1000 : undefined
}

/** Extra time for each wait, in seconds, as clocks and timers are not exact. */
export const marginSeconds = 1

/** Finds the first 429 after the throttle key's limit was exhausted. */
export function findThrottleRejection(transcript: Transcript): RecordedResponse | undefined {
  return listResponsesFor(transcript, 'throttle-key').find(
    ({ id, response }) => id.startsWith('burn-') && response.status === 429,
  )
}

/** Checks whether the limit resets after the time in `Retry-After`. */
export function resetsAfterRetry(transcript: Transcript, rejection: RecordedResponse): boolean {
  const retryAfterSeconds = readRetryAfterSeconds(transcript, rejection.exchange) ?? 0
  return (computeSecondsToReset(transcript, rejection) ?? 0) > retryAfterSeconds + marginSeconds
}

/**
 * Returns the seconds until the throttle key's limit resets, counted from the first response after the `Retry-After`
 * wait. Returns `undefined` if the limit has reset by then, a header is missing, or the reset is later than {@link
 * maxWaitSeconds}.
 */
export function computeSecondsUntilRestored(transcript: Transcript): number | undefined {
  const throttleRejection = findThrottleRejection(transcript)
  const afterBurn = findResponse(transcript, 'after-burn')
  if (throttleRejection === undefined || afterBurn === undefined) return undefined
  if (!resetsAfterRetry(transcript, throttleRejection)) return undefined
  if ((computeSecondsToReset(transcript, throttleRejection) ?? 0) > maxWaitSeconds) return undefined
  const secondsToReset = computeSecondsToReset(transcript, afterBurn)
  return secondsToReset !== undefined && secondsToReset <= maxWaitSeconds
    ? Math.max(0, secondsToReset)
    : undefined
}

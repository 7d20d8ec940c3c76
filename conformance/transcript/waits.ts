import { readLimitNumbers } from './rate-limits.ts'
import { header, listResponsesTo, type RecordedResponse } from './responses.ts'
import type { Exchange, ReceivedResponse, Transcript } from './transcript.ts'

/** Maximum wait of a run, in seconds. */
export const longestWait = 300

/**
 * Returns the `Retry-After` of a response in seconds (RFC 9110, section 10.2.3). An HTTP-date counts from the `Date` of
 * the response, or without one from the suite's clock. Returns `undefined` if the header is missing or invalid.
 */
export function retryAfter(
  transcript: Transcript,
  exchange: Pick<Exchange, 'at' | 'outcome'>,
): number | undefined {
  const { outcome } = exchange
  if (outcome.kind === 'error') return undefined
  const { response } = outcome
  const text = header(response, 'retry-after')?.trim() ?? ''
  if (/^\d+$/.test(text)) return Number(text)
  const until = readHttpDate(text)
  if (until === undefined) return undefined
  const now = readDate(response) ?? readOwnTime(transcript, { exchange, response })
  return Math.max(0, (until - now) / 1000)
}

/** Returns the `Date` of a response in Unix milliseconds; `undefined` if it is missing or not an HTTP-date. */
export function readDate(response: ReceivedResponse): number | undefined {
  return readHttpDate(header(response, 'date') ?? '')
}

/** Returns the time of a response by the clock of the suite, in Unix milliseconds. */
export function readOwnTime(
  { startedAt }: Transcript,
  { exchange, response }: { readonly exchange: Pick<Exchange, 'at'>; readonly response: ReceivedResponse },
): number {
  return Date.parse(startedAt) + exchange.at + response.ms
}

/** Returns the time of a response in Unix seconds: its `Date`, or the clock of the suite. */
export function readResponseTime(transcript: Transcript, recorded: RecordedResponse): number {
  return (readDate(recorded.response) ?? readOwnTime(transcript, recorded)) / 1000
}

/** Returns how long after a response its limit resets, in seconds; `undefined` without a valid header. */
export function computeTimeToReset(transcript: Transcript, recorded: RecordedResponse): number | undefined {
  const { reset } = readLimitNumbers(recorded)
  return reset === undefined ? undefined : reset - readResponseTime(transcript, recorded)
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const day = '(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)'
const longDay = '(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day'
const month = `(?<month>${months.join('|')})`
const time = '(?<hour>[01]\\d|2[0-3]):(?<minute>[0-5]\\d):(?<second>[0-5]\\d|60)'

/** The three forms that a recipient must accept (RFC 9110, section 5.6.7). */
const forms = [
  new RegExp(`^${day}, (?<date>\\d\\d) ${month} (?<year>\\d{4}) ${time} GMT$`),
  new RegExp(`^${longDay}, (?<date>\\d\\d)-${month}-(?<year>\\d\\d) ${time} GMT$`),
  // software in between may have removed the second of two spaces
  new RegExp(`^${day} ${month} (?<date>[ \\d]?\\d) ${time} (?<year>\\d{4})$`),
]

/** Returns the Unix milliseconds of an HTTP-date, of this century if short; `undefined` for other text. */
export function readHttpDate(text: string): number | undefined {
  const parts = forms.map((form) => form.exec(text)?.groups).find((groups) => groups !== undefined)
  if (parts === undefined) return undefined
  const { year = '', month: name = '', ...others } = parts
  const [date = 0, hour = 0, minute = 0, second = 0] = ['date', 'hour', 'minute', 'second'].map((part) =>
    Number(others[part]),
  )
  const midnight = Date.UTC(Number(year.padStart(4, '20')), months.indexOf(name), date)
  const isDay = new Date(midnight).getUTCDate() === date
  return isDay ? midnight + ((hour * 60 + minute) * 60 + second) * 1000 : undefined
}

/** Margin of each wait for a limit, in seconds: clocks and timers are not exact. */
export const margin = 1

/** Returns the 429 of the burn. */
export function findRejection(transcript: Transcript): RecordedResponse | undefined {
  return listResponsesTo(transcript, 'throttle-key').find(
    ({ id, response }) => id.startsWith('burn-') && response.status === 429,
  )
}

/**
 * Returns whether the limit resets later than the `Retry-After` of the 429 passes, so that there is more to wait for.
 */
export function resetsLater(transcript: Transcript, rejection: RecordedResponse): boolean {
  const wait = retryAfter(transcript, rejection.exchange) ?? 0
  return (computeTimeToReset(transcript, rejection) ?? 0) > wait + margin
}

/**
 * Returns how long after the response that followed the `Retry-After` the limit resets, in seconds. Returns `undefined`
 * if it has reset by then, if a header is missing, or if it is further away than the suite waits.
 */
export function untilRestored(transcript: Transcript): number | undefined {
  const rejection = findRejection(transcript)
  const after = listResponsesTo(transcript, 'throttle-key').find(({ id }) => id === 'after-burn')
  if (rejection === undefined || after === undefined || !resetsLater(transcript, rejection)) return undefined
  if ((computeTimeToReset(transcript, rejection) ?? 0) > longestWait) return undefined
  const rest = computeTimeToReset(transcript, after)
  return rest !== undefined && rest <= longestWait ? Math.max(0, rest) : undefined
}

import { pluralize } from '../transcript/printable.ts'
import { countLeaked, getSpanMs, readLimitNumbers } from '../transcript/rate-limits.ts'
import {
  findResponse,
  getHeader,
  indexOfExchange,
  isGatewayStatus,
  isSuccess,
  type RecordedResponse,
} from '../transcript/responses.ts'
import { type Exchange, formatRequestName, type Transcript } from '../transcript/transcript.ts'
import {
  computeSecondsToReset,
  findThrottleRejection,
  maxWaitSeconds,
  readRetryAfterSeconds,
  resetsAfterRetry,
} from '../transcript/waits.ts'
import { computeGain, isFalling, listBurnResponses, listRemaining, neverDecreased } from './burn-evidence.ts'
import {
  attributeTo,
  broken,
  explainMissingEvidence,
  holds,
  judgeLimitHeaders,
  noEvidence,
  notRun,
} from './judging.ts'
import { type Finding, type Judge, must, type RuleFamily, should } from './rule.ts'

/** Rules about the 429, judged on requests that use up the throttle key's limit (section 8). */
export const burnRules: RuleFamily = {
  'RATE-9 s8-too-many-requests': must.exhaust('a request past the limit returns 429', judgeEnforcement),
  'RATE-10 s8-retry-after': must.exhaust(
    'a 429 has `Retry-After`, in seconds or as an HTTP-date',
    judge429(({ exchange, response }, transcript) => {
      const value = getHeader(response, 'retry-after')
      const actualHeader = `the 429 has ${value === undefined ? 'no Retry-After' : `Retry-After: ${value}`}`
      return readRetryAfterSeconds(transcript, exchange) === undefined
        ? broken('Retry-After in seconds or as an HTTP-date', actualHeader)
        : holds(actualHeader)
    }),
  ),
  'RATE-11 s8-headers-of-429': must.exhaust(
    'a 429 has the three rate-limit headers',
    judge429(judgeLimitHeaders),
  ),
  'RATE-12 s8-rejected-only-at-the-limit': should.exhaust(
    'no request returns 429 if the previous response had an `X-RateLimit-Remaining` above 0',
    judge429(judgeRemainingBefore429),
  ),
  'RATE-13 s7-after-the-wait': should.exhaust(
    'the key is accepted again one second after `Retry-After`',
    judge429(judgeAfterRetryAfter),
  ),
  'RATE-14 s8-nothing-remains': should.exhaust(
    'a 429 has `X-RateLimit-Remaining: 0`',
    judge429((rejection) => {
      const { remaining } = readLimitNumbers(rejection)
      if (remaining === undefined) return noEvidence('the 429 has no X-RateLimit-Remaining')
      return remaining === 0
        ? holds('the 429 has X-RateLimit-Remaining: 0')
        : broken('Remaining: 0', `Remaining: ${remaining}`)
    }),
  ),
  'RATE-15 s8-retry-after-and-reset': should.exhaust(
    '`Retry-After` ends at most 60 s after `X-RateLimit-Reset`',
    judgeWait((wait, rest) => {
      const seconds = Math.round(rest)
      const reset =
        rest < 0 ? 'the X-RateLimit-Reset time has passed' : `X-RateLimit-Reset is ${seconds} s in the future`
      return wait > rest + toleranceSeconds
        ? broken(
            `at most ${Math.max(0, seconds + toleranceSeconds)} s, as ${reset}`,
            `Retry-After is ${wait} s`,
          )
        : holds(`Retry-After is ${wait} s, and ${reset}`)
    }),
  ),
  'RATE-16 s8-reset-restores': should.exhaust(
    'once `X-RateLimit-Reset` and `Retry-After` have passed, one request leaves `X-RateLimit-Limit` − 1 remaining, give or take one',
    judgeWait(judgeReset),
  ),
}

/** Creates a judge for the first 429. */
function judge429(judge: (rejection: RecordedResponse, transcript: Transcript) => Finding): Judge {
  return (transcript) => {
    const rejection = findThrottleRejection(transcript)
    if (rejection !== undefined) return attributeTo(rejection.id, judge(rejection, transcript))
    return transcript.endedEarly === undefined
      ? noEvidence('no request returned 429: see RATE-9')
      : notRun(transcript.endedEarly)
  }
}

function judgeEnforcement(transcript: Transcript): Finding {
  const burnResponses = listBurnResponses(transcript)
  const [first] = burnResponses
  if (first === undefined)
    return explainMissingEvidence(transcript, 'no request with the throttle key got a response')
  if (first.response.status === 401 || first.response.status === 403) {
    return noEvidence(`the throttle key is rejected (${first.response.status}): use a valid one`, first.id)
  }
  const acceptedResponses = burnResponses.filter(({ response }) => isSuccess(response.status))
  const hasFallen = isFalling(listRemaining(acceptedResponses))
  const lateSuccessFinding =
    findServedPastZero(transcript, acceptedResponses) ??
    (hasFallen ? findServedPastLimit(acceptedResponses) : undefined)
  if (lateSuccessFinding !== undefined) return lateSuccessFinding
  const rejection = findThrottleRejection(transcript)
  if (rejection !== undefined)
    return holds(`${formatRequestName(rejection.exchange)} returned 429`, rejection.id)
  if (!hasFallen) return noEvidence(neverDecreased, first.id)
  return (
    findOtherRejection(transcript, burnResponses) ??
    explainMissingEvidence(
      transcript,
      `${burnResponses.length} requests did not reach the limit, or it was reset during the run: raise --max-requests`,
    )
  )
}

/** Finds a request past the limit that was rejected with a status other than 429 (section 8). */
function findOtherRejection(transcript: Transcript, all: readonly RecordedResponse[]): Finding | undefined {
  for (const [n, { id, exchange, response }] of all.entries()) {
    const precedingResponse = findPrecedingResponse(transcript, all[n - 1], exchange)
    if (precedingResponse?.remaining !== 0) continue
    if (isSuccess(response.status) || isGatewayStatus(response.status)) continue
    const actualResponse = `${formatRequestName(exchange)} returned ${response.status} after ${precedingResponse.id} returned X-RateLimit-Remaining: 0`
    return broken('a 429', actualResponse, id, precedingResponse.id)
  }
  return undefined
}

/**
 * Finds the last success before a request. If parallel requests were sent in between, finds the response with the
 * lowest `Remaining`. Returns `undefined` if a response is missing or is a 5xx.
 */
function findPrecedingResponse(
  transcript: Transcript,
  last: RecordedResponse | undefined,
  next: Exchange,
): { readonly id: string; readonly remaining: number } | undefined {
  if (last === undefined) return undefined
  const [from, to] = [last.exchange, next].map((one) => indexOfExchange(transcript, one))
  const [, ...parallel] = transcript.exchanges.slice(from, to)
  if (parallel.some(({ group, response }) => group === undefined || !response || response.status >= 500))
    return undefined
  const counts = [last.exchange, ...parallel].flatMap(({ id, response }) => {
    const { remaining } = response === undefined ? {} : readLimitNumbers({ response })
    return response && isSuccess(response.status) && remaining !== undefined ? [{ id, remaining }] : []
  })
  return counts[0]?.id === last.id ? counts.toSorted((a, b) => a.remaining - b.remaining)[0] : undefined
}

/** Finds more successes at a `Remaining` of 0 than the caller can have regained, plus one. */
function findServedPastZero(
  transcript: Transcript,
  served: readonly RecordedResponse[],
): Finding | undefined {
  for (const [n, zero] of served.entries()) {
    const { limit, remaining } = readLimitNumbers(zero)
    if (remaining !== 0 || limit === undefined) continue
    const [before, later] = [served.slice(0, n + 1), served.slice(n + 1)]
    const riseIndex = later.findIndex((recorded) => readLimitNumbers(recorded).remaining !== 0)
    const pastZero = riseIndex < 0 ? later : later.slice(0, riseIndex)
    const last = pastZero.at(-1)
    if (last === undefined) continue
    if (pastZero.length <= Math.floor(computeGain(transcript, before, zero, last)) + 1) continue
    const actualSuccesses = `${pluralize(pastZero.length, 'more request')} succeeded after ${zero.id} returned X-RateLimit-Remaining: 0`
    return broken('a 429', actualSuccesses, last.id, zero.id)
  }
  return undefined
}

/**
 * Finds more successes under one `Reset` than the limit, plus what the bucket can have leaked, plus one. One request
 * more is allowed, as two servers may count separately.
 */
function findServedPastLimit(served: readonly RecordedResponse[]): Finding | undefined {
  const windows = new Map<number, RecordedResponse[]>()
  for (const recorded of served) {
    const { limit, reset } = readLimitNumbers(recorded)
    if (limit === undefined || reset === undefined) continue
    windows.set(reset, [...(windows.get(reset) ?? []), recorded])
  }
  for (const [reset, all] of windows) {
    const [first, last] = [all[0], all.at(-1)]
    const limit = Math.max(...all.map((recorded) => readLimitNumbers(recorded).limit ?? 0))
    if (first === undefined || last === undefined) continue
    if (all.length <= limit + Math.floor(countLeaked(limit, getSpanMs(first, last))) + 1) continue
    const actualSuccesses = `${all.length} requests succeeded while X-RateLimit-Reset was ${reset} and X-RateLimit-Limit was ${limit}`
    return broken(`a 429 after ${pluralize(limit, 'request')}`, actualSuccesses, last.id, first.id)
  }
  return undefined
}

const otherClientReason =
  'X-RateLimit-Remaining decreased by more than 1 after one request: another client uses the key'

/** A request must not be rejected if the previous response said that requests remained. */
function judgeRemainingBefore429(rejection: RecordedResponse, transcript: Transcript): Finding {
  const lastSuccess = listBurnResponses(transcript).findLast(({ response }) => isSuccess(response.status))
  const isPreviousStep = lastSuccess?.id === `burn-${Number(rejection.id.slice('burn-'.length)) - 1}`
  const precedingResponse = isPreviousStep
    ? findPrecedingResponse(transcript, lastSuccess, rejection.exchange)
    : undefined
  if (precedingResponse === undefined)
    return noEvidence('the response before the 429 is missing or has no X-RateLimit-Remaining')
  const { id, remaining } = precedingResponse
  const ids = [rejection.id, id]
  if (remaining === 0) return holds('the response before the 429 had X-RateLimit-Remaining: 0', ...ids)
  return isUsedByOthers(transcript)
    ? noEvidence(otherClientReason, ...ids)
    : broken('a successful response', `a 429 after X-RateLimit-Remaining: ${remaining}`, ...ids)
}

/** Checks whether `Remaining` fell by more than one between two consecutive requests. */
function isUsedByOthers(transcript: Transcript): boolean {
  const acceptedResponses = listBurnResponses(transcript).filter(({ response }) => isSuccess(response.status))
  return acceptedResponses.some(({ exchange, response }, n) => {
    const previous = acceptedResponses[n - 1]
    if (previous?.exchange !== transcript.exchanges[indexOfExchange(transcript, exchange) - 1]) return false
    const [then = 0, now = 0] = [previous?.response ?? response, response].map(
      (one) => readLimitNumbers({ response: one }).remaining,
    )
    return then - now > 1
  })
}

function judgeAfterRetryAfter(rejection: RecordedResponse, transcript: Transcript): Finding {
  const waitSeconds = readRetryAfterSeconds(transcript, rejection.exchange)
  if (waitSeconds === undefined) return noEvidence('the 429 has no valid Retry-After: see RATE-10')
  if (waitSeconds > maxWaitSeconds)
    return notRun(`the 429 has Retry-After: ${waitSeconds}, but the suite waits at most ${maxWaitSeconds} s`)
  const afterWait = findResponse(transcript, 'after-burn')
  if (afterWait === undefined)
    return explainMissingEvidence(transcript, 'no request after the Retry-After time got a response')
  const { id } = afterWait
  const { status } = afterWait.response
  if (isSuccess(status))
    return holds(`the key is accepted again one second after ${waitSeconds} s`, id, rejection.id)
  if (isGatewayStatus(status)) return noEvidence(`the ${status} may come from a gateway`, id)
  const actualResponse = `the request after the Retry-After time returned ${status}`
  return broken(`a successful response after ${waitSeconds} s`, actualResponse, id, rejection.id)
}

/** Maximum time that `Retry-After` may exceed the time until `Reset`, in seconds. */
const toleranceSeconds = 60

/** Creates a judge for the seconds until `Retry-After` and until `Reset`, counted from the 429. */
function judgeWait(
  judge: (wait: number, rest: number, rejection: RecordedResponse, transcript: Transcript) => Finding,
): Judge {
  return judge429((rejection, transcript) => {
    const waitSeconds = readRetryAfterSeconds(transcript, rejection.exchange)
    const secondsToReset = computeSecondsToReset(transcript, rejection)
    return waitSeconds === undefined || secondsToReset === undefined
      ? noEvidence('the 429 has no valid Retry-After or X-RateLimit-Reset: see RATE-10 and RATE-4')
      : judge(waitSeconds, secondsToReset, rejection, transcript)
  })
}

/**
 * The request after `Retry-After` is judged if `Reset` has passed by then. Otherwise the request after `Reset` is
 * judged.
 */
function judgeReset(
  wait: number,
  rest: number,
  rejection: RecordedResponse,
  transcript: Transcript,
): Finding {
  const seconds = Math.round(Math.max(wait, rest))
  if (seconds > maxWaitSeconds)
    return notRun(`the limit resets in ${seconds} s, but the suite waits at most ${maxWaitSeconds} s`)
  const stepAfterWait = resetsAfterRetry(transcript, rejection) ? 'after-reset' : 'after-burn'
  const restored = findResponse(transcript, stepAfterWait)
  if (restored === undefined)
    return explainMissingEvidence(transcript, 'no request after the X-RateLimit-Reset time got a response')
  const ids = [restored.id, rejection.id]
  const { status } = restored.response
  const { limit, remaining } = readLimitNumbers(restored)
  if (isGatewayStatus(status) || limit === undefined || remaining === undefined)
    return noEvidence(
      'the response after the reset has no valid X-RateLimit-Limit or X-RateLimit-Remaining',
      ...ids,
    )
  if (isSuccess(status) && Math.abs(limit - 1 - remaining) <= 1)
    return holds(`${remaining} of ${limit} requests remain after one request`, ...ids)
  if (limit !== readLimitNumbers(rejection).limit)
    return noEvidence('X-RateLimit-Limit differs from its value on the 429', ...ids)
  if (getHeader(rejection.response, 'date') === undefined)
    return noEvidence('the server sends no Date header, so its clock is unknown', ...ids)
  if (isUsedByOthers(transcript)) return noEvidence(otherClientReason, ...ids)
  const actualResponse = `the request after the wait returned ${status} with X-RateLimit-Remaining: ${remaining}`
  return broken(`X-RateLimit-Remaining: ${limit - 1}, give or take 1`, actualResponse, ...ids)
}

import { plural } from '../transcript/printable.ts'
import { computeLeak, measureSpan, readLimitNumbers } from '../transcript/rate-limits.ts'
import {
  header,
  isGateway,
  isSuccess,
  listResponsesTo,
  type RecordedResponse,
} from '../transcript/responses.ts'
import { formatRequestName, type Transcript } from '../transcript/transcript.ts'
import {
  computeTimeToReset,
  findRejection,
  longestWait,
  resetsLater,
  retryAfter,
} from '../transcript/waits.ts'
import { about, broken, holds, judgeLimitHeaders, noEvidence, nothingToJudge, notRun } from './judging.ts'
import { type Family, type Finding, type Judge, must, should } from './rule.ts'

/** Section 8: rules for a key that is driven to its limit. */
export const burnRules: Family = {
  'RATE-9 s8-too-many-requests': must.exhaust('a request past the limit returns 429', judgeLimit),
  'RATE-10 s8-retry-after': must.exhaust(
    'a 429 carries `Retry-After`, in seconds or as an HTTP-date',
    on429(({ exchange, response }, transcript) => {
      const value = header(response, 'retry-after')
      const got = value === undefined ? 'the 429 has no Retry-After' : `the 429 has Retry-After: ${value}`
      return retryAfter(transcript, exchange) === undefined
        ? broken('Retry-After in seconds or as an HTTP-date', got)
        : holds(got)
    }),
  ),
  'RATE-11 s8-headers-of-429': must.exhaust(
    'a 429 carries the three rate-limit headers',
    on429(judgeLimitHeaders),
  ),
  'RATE-12 s8-rejected-only-at-the-limit': should.exhaust(
    'no request returns 429 while `X-RateLimit-Remaining` of the last response is more than 0',
    on429(judgePromise),
  ),
  'RATE-13 s7-after-the-wait': should.exhaust(
    'the key is accepted again a second after `Retry-After` has passed',
    on429(judgeReturn),
  ),
  'RATE-14 s8-nothing-remains': should.exhaust(
    '`X-RateLimit-Remaining` of a 429 is 0',
    on429((rejection) => {
      const { remaining } = readLimitNumbers(rejection)
      if (remaining === undefined) return noEvidence('the 429 has no Remaining')
      return remaining === 0
        ? holds('the 429 has a Remaining of 0')
        : broken('a Remaining of 0', `a Remaining of ${remaining}`)
    }),
  ),
  'RATE-15 s8-retry-after-and-reset': should.exhaust(
    '`Retry-After` is at most 60 s longer than until `X-RateLimit-Reset`',
    onWait((wait, rest) => {
      const reset = rest < 0 ? 'Reset has passed' : `Reset is in ${Math.round(rest)} s`
      const longest = Math.max(0, Math.round(rest) + tolerance)
      return wait > rest + tolerance
        ? broken(`at most ${longest} s, as ${reset}`, `Retry-After is ${wait} s`)
        : holds(`Retry-After is ${wait} s, and ${reset}`)
    }),
  ),
  'RATE-16 s8-reset-restores': should.exhaust(
    'once `X-RateLimit-Reset` and `Retry-After` have passed, one request leaves `X-RateLimit-Limit` − 1, give or take one',
    onWait(judgeRestored),
  ),
}

/** Returns the responses of the burn, in the order of the requests. */
function burnt(transcript: Transcript): readonly RecordedResponse[] {
  return listResponsesTo(transcript, 'throttle-key').filter(({ id }) => id.startsWith('burn-'))
}

/** Judges the 429 of the burn. A finding that names no exchange is about this one. */
function on429(judge: (rejection: RecordedResponse, transcript: Transcript) => Finding): Judge {
  return (transcript) => {
    const rejection = findRejection(transcript)
    if (rejection !== undefined) return about(rejection.id, judge(rejection, transcript))
    return transcript.endedEarly === undefined
      ? noEvidence('no 429 came: see RATE-9')
      : notRun(transcript.endedEarly)
  }
}

function judgeLimit(transcript: Transcript): Finding {
  const all = burnt(transcript)
  const [first] = all
  if (first === undefined) return nothingToJudge(transcript, 'no response to the throttle key came')
  if (first.response.status === 401 || first.response.status === 403) {
    return noEvidence(`the throttle key is rejected (${first.response.status}): give a valid one`, first.id)
  }
  const served = all.filter(({ response }) => isSuccess(response.status))
  const remaining = served.map((recorded) => readLimitNumbers(recorded).remaining)
  const falls = remaining.some((now, n) => now !== undefined && now < (remaining[n - 1] ?? 0))
  const late = servedPastZero(served) ?? (falls ? servedPastWindow(served) : undefined)
  if (late !== undefined) return late
  const rejection = findRejection(transcript)
  if (rejection !== undefined)
    return holds(`${formatRequestName(rejection.exchange)} returned 429`, rejection.id)
  if (!falls) return noEvidence('Remaining never fell, so limits may not apply to this operation', first.id)
  return (
    rejectedOtherwise(all) ??
    nothingToJudge(
      transcript,
      `${all.length} requests did not reach the limit, or the limit was reset meanwhile: raise --max-requests`,
    )
  )
}

/** After a response with a `Remaining` of 0, a request that does not succeed returns 429 (section 8). */
function rejectedOtherwise(all: readonly RecordedResponse[]): Finding | undefined {
  for (const [n, { id, exchange, response }] of all.entries()) {
    const before = all[n - 1]
    if (
      before === undefined ||
      !isSuccess(before.response.status) ||
      readLimitNumbers(before).remaining !== 0
    )
      continue
    if (isSuccess(response.status) || isGateway(response.status)) continue
    const got = `${formatRequestName(exchange)} returned ${response.status} after ${before.id} had a Remaining of 0`
    return broken('a 429', got, id, before.id)
  }
  return undefined
}

/** After a response with a `Remaining` of 0, at most one more request succeeds than the bucket can have gained. */
function servedPastZero(served: readonly RecordedResponse[]): Finding | undefined {
  for (const [n, zero] of served.entries()) {
    const { limit, remaining } = readLimitNumbers(zero)
    if (remaining !== 0 || limit === undefined) continue
    const rest = served.slice(n + 1)
    const rise = rest.findIndex((recorded) => readLimitNumbers(recorded).remaining !== 0)
    const past = rise < 0 ? rest : rest.slice(0, rise)
    const last = past.at(-1)
    if (last === undefined || past.length <= Math.floor(computeLeak(limit, measureSpan(zero, last))) + 1)
      continue
    const got = `${past.length} more succeeded after ${zero.id} had a Remaining of 0`
    return broken('a 429', got, last.id, zero.id)
  }
  return undefined
}

/**
 * Under one `Reset`, at most one more request succeeds than the limit and the requests that can have leaked from a
 * bucket. Servers that count separately serve more.
 */
function servedPastWindow(served: readonly RecordedResponse[]): Finding | undefined {
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
    if (all.length <= limit + Math.floor(computeLeak(limit, measureSpan(first, last))) + 1) continue
    const got = `${all.length} requests succeeded under the unchanged Reset ${reset}, with a limit of ${limit}`
    return broken(`a 429 after ${plural(limit, 'request')}`, got, last.id, first.id)
  }
  return undefined
}

/** The reason why a drop of `Remaining` proves nothing. */
const ofOthers = 'Remaining fell by more than one for a request: another client uses the key'

/** Another client that uses the key may have used the requests that remained. */
function judgePromise(rejection: RecordedResponse, transcript: Transcript): Finding {
  const last = burnt(transcript).findLast(({ response }) => isSuccess(response.status))
  const remaining = last && readLimitNumbers(last).remaining
  const isNext = last?.id === `burn-${Number(rejection.id.slice('burn-'.length)) - 1}`
  if (!isNext || remaining === undefined)
    return noEvidence('the response before the 429 is missing, or has no Remaining')
  const ids = [rejection.id, last.id]
  if (remaining === 0) return holds('Remaining of the response before it is 0', ...ids)
  return usedByOthers(transcript)
    ? noEvidence(ofOthers, ...ids)
    : broken('the request accepted', `a 429 after a Remaining of ${remaining}`, ...ids)
}

/**
 * Returns whether `Remaining` falls by more than one for a request of the burn, so that another client uses the key,
 * too.
 */
function usedByOthers(transcript: Transcript): boolean {
  const served = burnt(transcript).filter(({ response }) => isSuccess(response.status))
  const counts = served.map((recorded) => readLimitNumbers(recorded).remaining ?? 0)
  return counts.some((count, n) => n > 0 && (counts[n - 1] ?? 0) - count > 1)
}

function judgeReturn(rejection: RecordedResponse, transcript: Transcript): Finding {
  const wait = retryAfter(transcript, rejection.exchange)
  if (wait === undefined) return noEvidence('the 429 has no valid Retry-After: see RATE-10')
  if (wait > longestWait) return notRun(`Retry-After of the 429 is ${wait} s, longer than the suite waits`)
  const after = listResponsesTo(transcript, 'throttle-key').find(({ id }) => id === 'after-burn')
  if (after === undefined) return nothingToJudge(transcript, 'no response came after the wait')
  const { id, response } = after
  if (isSuccess(response.status))
    return holds(`the key is accepted a second after the wait of ${wait} s`, id, rejection.id)
  if (isGateway(response.status)) return noEvidence(`the ${response.status} may come from a gateway`, id)
  const got = `the request after the wait returned ${response.status}`
  return broken(`the key accepted after ${wait} s`, got, id, rejection.id)
}

/** The time that a client may have to wait after `Reset`, in seconds. */
const tolerance = 60

/** Judges the `Retry-After` of the 429, and how long after it the limit resets, in seconds. */
function onWait(
  judge: (wait: number, rest: number, rejection: RecordedResponse, transcript: Transcript) => Finding,
): Judge {
  return on429((rejection, transcript) => {
    const wait = retryAfter(transcript, rejection.exchange)
    const rest = computeTimeToReset(transcript, rejection)
    return wait === undefined || rest === undefined
      ? noEvidence('the 429 has no valid Retry-After or Reset: see RATE-10 and RATE-4')
      : judge(wait, rest, rejection, transcript)
  })
}

/** The request after `Retry-After` counts if `Reset` has passed by then; else the one after `Reset`. */
function judgeRestored(
  wait: number,
  rest: number,
  rejection: RecordedResponse,
  transcript: Transcript,
): Finding {
  const longest = Math.round(Math.max(wait, rest))
  if (longest > longestWait) return notRun(`the limit resets in ${longest} s, longer than the suite waits`)
  const expected = resetsLater(transcript, rejection) ? 'after-reset' : 'after-burn'
  const restored = listResponsesTo(transcript, 'throttle-key').find(({ id }) => id === expected)
  if (restored === undefined) return nothingToJudge(transcript, 'no response came after the limit had reset')
  const ids = [restored.id, rejection.id]
  const { status } = restored.response
  const { limit, remaining } = readLimitNumbers(restored)
  if (isGateway(status) || limit === undefined || remaining === undefined)
    return noEvidence('the response after the reset has no valid Limit and Remaining', ...ids)
  if (isSuccess(status) && Math.abs(limit - 1 - remaining) <= 1)
    return holds(`${remaining} of ${limit} remain after one request`, ...ids)
  if (limit !== readLimitNumbers(rejection).limit)
    return noEvidence('the headers show another limit than in the 429', ...ids)
  if (header(rejection.response, 'date') === undefined)
    return noEvidence('without a Date, the clock of Reset is not known', ...ids)
  if (usedByOthers(transcript)) return noEvidence(ofOthers, ...ids)
  const got = `the request after the wait returned ${status}, and ${remaining} remain`
  return broken(`${limit - 1} of ${limit} remaining, give or take one`, got, ...ids)
}

import { limitHeader, limitHeaders, refilled, spanOf, standingOf } from '../transcript/rate-limits.ts'
import { header, isGateway, isSuccess, type RecordedResponse, responsesTo } from '../transcript/responses.ts'
import { requestName, type Transcript } from '../transcript/transcript.ts'
import { longestWait, retryAfter } from '../transcript/waits.ts'
import { rulesOf } from './define.ts'
import { broken, holds, noEvidence, notRun } from './findings.ts'
import { nothingToJudge } from './judging.ts'
import type { Finding, Rule } from './rule.ts'

const exhaust = rulesOf('exhaust')

/** Section 8: rules for a key that is driven to its limit. */
export const burnRules: readonly Rule[] = [
  exhaust.must('RATE-9', 's8-too-many-requests', 'a request past the limit returns 429', judgeLimit),
  exhaust.must(
    'RATE-10',
    's8-retry-after',
    'a 429 carries `Retry-After`, in seconds or as an HTTP-date',
    (transcript) =>
      judge429(transcript, ({ id, exchange, response }) =>
        retryAfter(transcript, exchange) === undefined
          ? broken(
              'Retry-After in seconds or as an HTTP-date',
              `it has ${header(response, 'retry-after') ?? 'none'}`,
              id,
            )
          : holds(`it has ${header(response, 'retry-after')}`, id),
      ),
  ),
  exhaust.must('RATE-11', 's8-headers-of-429', 'a 429 carries the three limit headers', (transcript) =>
    judge429(transcript, (recorded) => {
      const missing = limitHeaders.filter((name) => limitHeader(recorded, name) === undefined)
      return missing.length > 0
        ? broken('the three headers', `it has no ${missing.join(', no ')}`, recorded.id)
        : holds('it has the three', recorded.id)
    }),
  ),
  exhaust.should(
    'RATE-12',
    's8-rejected-only-at-the-limit',
    'no request returns 429 while `X-RateLimit-Remaining` of the last response is more than 0',
    (transcript) => judge429(transcript, (rejection) => judgePromise(transcript, rejection)),
  ),
  exhaust.should(
    'RATE-13',
    's7-after-the-wait',
    'the key is accepted again a second after `Retry-After` has passed',
    (transcript) => judge429(transcript, (rejection) => judgeReturn(transcript, rejection)),
  ),
  exhaust.should('RATE-14', 's8-nothing-remains', '`X-RateLimit-Remaining` of a 429 is 0', (transcript) =>
    judge429(transcript, (recorded) => {
      const { remaining } = standingOf(recorded)
      if (remaining === undefined) return noEvidence('it has no Remaining', recorded.id)
      return remaining === 0
        ? holds('its Remaining is 0', recorded.id)
        : broken('a Remaining of 0', `a Remaining of ${remaining}`, recorded.id)
    }),
  ),
]

/** Returns the responses of the burn, in the order of the requests. */
function burnt(transcript: Transcript): readonly RecordedResponse[] {
  return responsesTo(transcript, 'throttle-key').filter(({ id }) => id.startsWith('burn-'))
}

function judge429(transcript: Transcript, judge: (rejection: RecordedResponse) => Finding): Finding {
  const rejection = burnt(transcript).find(({ response }) => response.status === 429)
  if (rejection !== undefined) return judge(rejection)
  return transcript.endedEarly === undefined
    ? noEvidence('no 429 came: see RATE-9')
    : notRun(transcript.endedEarly)
}

function judgeLimit(transcript: Transcript): Finding {
  const all = burnt(transcript)
  const [first] = all
  if (first === undefined) return nothingToJudge(transcript, 'no response to the throttle key came')
  if (first.response.status === 401 || first.response.status === 403) {
    return noEvidence(`the throttle key is rejected (${first.response.status}): give a valid one`, first.id)
  }
  const served = all.filter(({ response }) => isSuccess(response.status))
  const late = servedPastZero(served)
  if (late !== undefined) return late
  const rejection = all.find(({ response }) => response.status === 429)
  if (rejection !== undefined) return holds(`${requestName(rejection.exchange)} returned 429`, rejection.id)
  const remaining = served.map((recorded) => standingOf(recorded).remaining)
  const falls = remaining.some((now, n) => now !== undefined && now < (remaining[n - 1] ?? 0))
  if (!falls) return noEvidence('Remaining never fell, so limits may not apply to this operation', first.id)
  return (
    rejectedOtherwise(all) ??
    servedPastAnyWindow(served) ??
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
    if (before === undefined || !isSuccess(before.response.status) || standingOf(before).remaining !== 0)
      continue
    if (isSuccess(response.status) || isGateway(response.status)) continue
    return broken(
      'a 429',
      `${requestName(exchange)} returned ${response.status} after ${before.id} had a Remaining of 0`,
      id,
      before.id,
    )
  }
  return undefined
}

/** After a response with a `Remaining` of 0, at most one more request succeeds than the bucket can have gained. */
function servedPastZero(served: readonly RecordedResponse[]): Finding | undefined {
  for (const [n, zero] of served.entries()) {
    const { limit, remaining } = standingOf(zero)
    if (remaining !== 0 || limit === undefined) continue
    const rest = served.slice(n + 1)
    const rise = rest.findIndex((recorded) => standingOf(recorded).remaining !== 0)
    const past = rise < 0 ? rest : rest.slice(0, rise)
    const last = past.at(-1)
    if (last !== undefined && past.length > Math.floor(refilled(limit, spanOf(zero, last))) + 1) {
      return broken(
        'a 429',
        `${past.length} more succeeded after ${zero.id} had a Remaining of 0`,
        last.id,
        zero.id,
      )
    }
  }
  return undefined
}

/** Each window has its own `Reset`. No more requests succeed than in the windows that were seen, and one more. */
function servedPastAnyWindow(served: readonly RecordedResponse[]): Finding | undefined {
  const [first] = served
  const last = served.at(-1)
  const limit = served.reduce((most, recorded) => Math.max(most, standingOf(recorded).limit ?? 0), 0)
  if (first === undefined || last === undefined || limit === 0) return undefined
  const windows = new Set(served.map((recorded) => standingOf(recorded).reset)).size + 1
  return served.length > limit * windows
    ? broken('a 429', `${served.length} in a row succeeded, with a limit of ${limit}`, last.id, first.id)
    : undefined
}

function numberOf({ id }: RecordedResponse): number {
  return Number(id.slice('burn-'.length))
}

/** Another client that uses the key may have used the requests that remained. */
function judgePromise(transcript: Transcript, rejection: RecordedResponse): Finding {
  const served = burnt(transcript).filter(({ response }) => isSuccess(response.status))
  const last = served.at(-1)
  const remaining = last && standingOf(last).remaining
  const isNext = last !== undefined && numberOf(last) + 1 === numberOf(rejection)
  if (!isNext || remaining === undefined) {
    return noEvidence('the response before the 429 is missing, or has no Remaining', rejection.id)
  }
  if (remaining === 0) return holds('Remaining of the response before it is 0', rejection.id, last.id)
  return usedByOthers(transcript)
    ? noEvidence(
        'Remaining fell by more than one for a request: another client uses the key',
        rejection.id,
        last.id,
      )
    : broken('the request accepted', `a 429 after a Remaining of ${remaining}`, rejection.id, last.id)
}

/** Whether `Remaining` falls by more than one for a request of the burn, so that another client uses the key, too. */
export function usedByOthers(transcript: Transcript): boolean {
  const served = burnt(transcript).filter(({ response }) => isSuccess(response.status))
  const counts = served.map((recorded) => standingOf(recorded).remaining ?? 0)
  return counts.some((count, n) => n > 0 && (counts[n - 1] ?? 0) - count > 1)
}

function judgeReturn(transcript: Transcript, rejection: RecordedResponse): Finding {
  const wait = retryAfter(transcript, rejection.exchange)
  if (wait === undefined) return noEvidence('the 429 has no valid Retry-After: see RATE-10', rejection.id)
  if (wait > longestWait)
    return notRun(`Retry-After of the 429 is ${wait} s, longer than the suite waits`, rejection.id)
  const [recorded] = responsesTo(transcript, 'throttle-key').filter(({ id }) => id === 'after-burn')
  if (recorded === undefined)
    return nothingToJudge(transcript, 'no response came after the wait', rejection.id)
  const { id, response } = recorded
  if (isSuccess(response.status)) return holds(`a second after ${wait} s it is accepted`, id, rejection.id)
  return isGateway(response.status)
    ? noEvidence(`the ${response.status} may come from a gateway`, id)
    : broken(`the key accepted after ${wait} s`, `it returned ${response.status}`, id, rejection.id)
}

import { dripped, limitHeader, limitHeaders, spanOf, standingOf } from '../transcript/rate-limits.ts'
import { header, isGateway, isSuccess, type RecordedResponse, responsesTo } from '../transcript/responses.ts'
import { longestWait, retryAfter } from '../transcript/retry-after.ts'
import type { Transcript } from '../transcript/transcript.ts'
import { rulesOf } from './define.ts'
import { broken, holds, noEvidence, notRun } from './findings.ts'
import { nothing } from './judging.ts'
import type { Finding, Rule } from './rule.ts'

const exhaust = rulesOf('exhaust')

/** Section 8, of a key that is driven to its limit. */
export const burnRules: readonly Rule[] = [
  exhaust.must('RATE-9', '8', 'past the limit: 429', judgeLimit),
  exhaust.must('RATE-10', '8', 'a 429 carries `Retry-After`, in seconds or as an HTTP-date', (transcript) =>
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
  exhaust.must('RATE-11', '8', 'a 429 carries the three headers', (transcript) =>
    judge429(transcript, (recorded) => {
      const missing = limitHeaders.filter((name) => limitHeader(recorded, name) === undefined)
      return missing.length > 0
        ? broken('the three headers', `it has no ${missing.join(', no ')}`, recorded.id)
        : holds('it has the three', recorded.id)
    }),
  ),
  exhaust.should('RATE-12', '8', 'no 429 while the last response said that requests remained', (transcript) =>
    judge429(transcript, (rejection) => judgePromise(transcript, rejection)),
  ),
  exhaust.should(
    'RATE-13',
    '7',
    'once `Retry-After` has passed, and a second more, the key is served again',
    (transcript) => judge429(transcript, (rejection) => judgeReturn(transcript, rejection)),
  ),
  exhaust.should('RATE-14', '8', 'a 429 says that 0 remain', (transcript) =>
    judge429(transcript, (recorded) => {
      const { remaining } = standingOf(recorded)
      if (remaining === undefined) return noEvidence('it does not say what remains', recorded.id)
      return remaining === 0
        ? holds('it says 0', recorded.id)
        : broken('0 remaining', `it says that ${remaining} remain`, recorded.id)
    }),
  ),
]

/** The responses to the burn, in the order sent. */
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
  if (first === undefined) return nothing(transcript, 'no response to the throttle key came')
  if (first.response.status === 401 || first.response.status === 403) {
    return noEvidence(
      `the throttle key is rejected (${first.response.status}): give one that is valid`,
      first.id,
    )
  }
  const rejection = all.find(({ response }) => response.status === 429)
  if (rejection !== undefined) return holds(`${rejection.id} returned 429`, rejection.id)
  const served = all.filter(({ response }) => isSuccess(response.status))
  const remaining = served.map((recorded) => standingOf(recorded).remaining)
  const falls = remaining.some((now, n) => now !== undefined && now < (remaining[n - 1] ?? 0))
  if (!falls)
    return noEvidence(
      'what remains never fell: whether limits apply to these endpoints is not shown',
      first.id,
    )
  return (
    rejectedOtherwise(all) ??
    servedPastZero(served) ??
    servedPastAnyWindow(served) ??
    nothing(
      transcript,
      `${all.length} requests did not reach the limit, or it was reset meanwhile: raise --max-requests`,
    )
  )
}

/** After a response that says that 0 remain, what is not served is a 429 (section 8). */
function rejectedOtherwise(all: readonly RecordedResponse[]): Finding | undefined {
  for (const [n, { id, response }] of all.entries()) {
    const before = all[n - 1]
    if (before === undefined || !isSuccess(before.response.status) || standingOf(before).remaining !== 0)
      continue
    if (isSuccess(response.status) || isGateway(response.status)) continue
    return broken(
      'a 429',
      `${id} returned ${response.status} after ${before.id} had said that 0 remain`,
      id,
      before.id,
    )
  }
  return undefined
}

/** After a response that says that 0 remain, no more are served than drip in, and one. */
function servedPastZero(served: readonly RecordedResponse[]): Finding | undefined {
  for (const [n, zero] of served.entries()) {
    const { limit, remaining } = standingOf(zero)
    if (remaining !== 0 || limit === undefined) continue
    const rest = served.slice(n + 1)
    const rise = rest.findIndex((recorded) => standingOf(recorded).remaining !== 0)
    const past = rise < 0 ? rest : rest.slice(0, rise)
    const last = past.at(-1)
    if (last !== undefined && past.length > Math.floor(dripped(limit, spanOf(zero, last))) + 1) {
      return broken(
        'a 429',
        `${past.length} more were served after ${zero.id} had said that 0 remain`,
        last.id,
        zero.id,
      )
    }
  }
  return undefined
}

/** Whatever the window, each has a reset of its own: no limit lets more through than one window more than were seen. */
function servedPastAnyWindow(served: readonly RecordedResponse[]): Finding | undefined {
  const [first] = served
  const last = served.at(-1)
  const limit = served.reduce((most, recorded) => Math.max(most, standingOf(recorded).limit ?? 0), 0)
  if (first === undefined || last === undefined || limit === 0) return undefined
  const windows = new Set(served.map((recorded) => standingOf(recorded).reset)).size + 1
  return served.length > limit * windows
    ? broken('a 429', `${served.length} in a row were served, with a limit of ${limit}`, last.id, first.id)
    : undefined
}

function numberOf({ id }: RecordedResponse): number {
  return Number(id.slice('burn-'.length))
}

/** Where others use the key as well, what remained for it may have gone to them. */
function judgePromise(transcript: Transcript, rejection: RecordedResponse): Finding {
  const served = burnt(transcript).filter(({ response }) => isSuccess(response.status))
  const last = served.at(-1)
  const remaining = last && standingOf(last).remaining
  const isNext = last !== undefined && numberOf(last) + 1 === numberOf(rejection)
  if (!isNext || remaining === undefined) {
    return noEvidence('the response before the 429 is missing, or does not say what remains', rejection.id)
  }
  if (remaining === 0) return holds('the last response before it said that 0 remain', rejection.id, last.id)
  const counts = served.map((recorded) => standingOf(recorded).remaining ?? 0)
  return counts.some((count, n) => n > 0 && (counts[n - 1] ?? 0) - count > 1)
    ? noEvidence('what remains fell by more than was sent: others use the key', rejection.id, last.id)
    : broken(
        'the request served',
        `a 429, when the last response said that ${remaining} remain`,
        rejection.id,
        last.id,
      )
}

function judgeReturn(transcript: Transcript, rejection: RecordedResponse): Finding {
  const wait = retryAfter(transcript, rejection.exchange)
  if (wait === undefined)
    return noEvidence('the 429 does not say how long to wait: see RATE-10', rejection.id)
  if (wait > longestWait)
    return notRun(`the 429 asks to wait ${wait} s, longer than the suite does`, rejection.id)
  const [recorded] = responsesTo(transcript, 'throttle-key').filter(({ id }) => id === 'after-burn')
  if (recorded === undefined) return nothing(transcript, 'no response came after the wait', rejection.id)
  const { id, response } = recorded
  if (isSuccess(response.status))
    return holds(`after ${wait} s and a second more it is served`, id, rejection.id)
  return isGateway(response.status)
    ? noEvidence(`the ${response.status} may come from something in front of the deployment`, id)
    : broken(`the key served after ${wait} s`, `returned ${response.status}`, id, rejection.id)
}

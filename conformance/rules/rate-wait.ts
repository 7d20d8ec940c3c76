import { standingOf } from '../transcript/rate-limits.ts'
import { header, isGateway, isSuccess, type RecordedResponse, responsesTo } from '../transcript/responses.ts'
import type { Transcript } from '../transcript/transcript.ts'
import { longestWait, rejectionOf, resetsLater, retryAfter, untilReset } from '../transcript/waits.ts'
import { rulesOf } from './define.ts'
import { broken, holds, noEvidence, notRun } from './findings.ts'
import { nothingToJudge } from './judging.ts'
import { usedByOthers } from './rate-burn.ts'
import type { Finding, Rule } from './rule.ts'

const exhaust = rulesOf('exhaust')

/** How much longer than until `Reset` a client may have to wait, in seconds. */
const tolerance = 60

/** Section 8: the two headers that state when the limit is there again. */
export const waitRules: readonly Rule[] = [
  exhaust.should(
    'RATE-15',
    's8-retry-after-and-reset',
    '`Retry-After` is at most 60 s longer than until `X-RateLimit-Reset`',
    judgeAgreement,
  ),
  exhaust.should(
    'RATE-16',
    's8-reset-restores',
    'once `X-RateLimit-Reset` and `Retry-After` have passed, one request leaves `X-RateLimit-Limit` − 1, give or take one',
    judgeRestored,
  ),
]

function judgeAgreement(transcript: Transcript): Finding {
  const rejection = rejectionOf(transcript)
  if (rejection === undefined) return nothingToJudge(transcript, 'the burn came to no 429')
  const { id, exchange } = rejection
  const wait = retryAfter(transcript, exchange)
  const { reset } = standingOf(rejection)
  const rest = untilReset(transcript, rejection)
  if (wait === undefined || reset === undefined || rest === undefined) {
    return noEvidence('the 429 has no valid Retry-After or Reset: see RATE-10 and RATE-4', id)
  }
  return wait > rest + tolerance
    ? broken(
        `at most ${tolerance} s more than the ${Math.round(rest)} s until Reset`,
        `Retry-After is ${wait} s`,
        id,
      )
    : holds(`Retry-After is ${wait} s, and Reset is in ${Math.round(rest)} s`, id)
}

/** The request after `Retry-After` counts if `Reset` has passed by then; else the one after `Reset`. */
function judgeRestored(transcript: Transcript): Finding {
  const rejection = rejectionOf(transcript)
  if (rejection === undefined) return nothingToJudge(transcript, 'the burn came to no 429')
  const rest = untilReset(transcript, rejection)
  const wait = retryAfter(transcript, rejection.exchange)
  if (wait === undefined || rest === undefined) {
    return noEvidence('the 429 has no valid Retry-After or Reset: see RATE-10 and RATE-4', rejection.id)
  }
  const longest = Math.round(Math.max(wait, rest))
  if (longest > longestWait)
    return notRun(`the limit resets in ${longest} s, longer than the suite waits`, rejection.id)
  const expected = resetsLater(transcript, rejection) ? 'after-reset' : 'after-burn'
  const restored = responsesTo(transcript, 'throttle-key').find(({ id }) => id === expected)
  return restored === undefined
    ? nothingToJudge(transcript, 'no response came after the limit had reset', rejection.id)
    : judgeWhole(transcript, rejection, restored)
}

function judgeWhole(
  transcript: Transcript,
  rejection: RecordedResponse,
  restored: RecordedResponse,
): Finding {
  const ids = [restored.id, rejection.id]
  const { limit, remaining } = standingOf(restored)
  if (isGateway(restored.response.status) || limit === undefined || remaining === undefined)
    return noEvidence('the response after the reset has no valid Limit and Remaining', ...ids)
  if (isSuccess(restored.response.status) && Math.abs(limit - 1 - remaining) <= 1)
    return holds(`${remaining} of ${limit} remain after one request`, ...ids)
  if (limit !== standingOf(rejection).limit)
    return noEvidence('the headers show another limit than in the 429', ...ids)
  if (header(rejection.response, 'date') === undefined)
    return noEvidence('without a Date, the clock of Reset is not known', ...ids)
  return usedByOthers(transcript)
    ? noEvidence('Remaining fell by more than one for a request: another client uses the key', ...ids)
    : broken(
        `${limit - 1} of ${limit} remaining, give or take one`,
        `it returned ${restored.response.status}, and ${remaining} remain`,
        ...ids,
      )
}

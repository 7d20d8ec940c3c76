import { standingOf } from '../transcript/rate-limits.ts'
import { header, isGateway, isSuccess, type RecordedResponse, responsesTo } from '../transcript/responses.ts'
import type { Transcript } from '../transcript/transcript.ts'
import { longestWait, resetsLater, retryAfter, untilReset } from '../transcript/waits.ts'
import { broken, holds, noEvidence, nothingToJudge, notRun } from './judging.ts'
import { ofOthers, on429, usedByOthers } from './rate-burn.ts'
import type { Finding, Judge, Judges } from './rule.ts'

/** How much longer than until `Reset` a client may have to wait, in seconds. */
const tolerance = 60

/** Section 8: the two headers that state when the limit is there again. */
export const waitJudges: Judges<'RATE', 15 | 16> = {
  'RATE-15': onWait((wait, rest) => {
    const until = `the ${Math.round(rest)} s until Reset`
    return wait > rest + tolerance
      ? broken(`at most ${tolerance} s more than ${until}`, `Retry-After is ${wait} s`)
      : holds(`Retry-After is ${wait} s, and Reset is in ${Math.round(rest)} s`)
  }),
  'RATE-16': onWait(judgeRestored),
}

/** Judges the `Retry-After` of the 429, and how long after it the limit resets, in seconds. */
function onWait(
  judge: (wait: number, rest: number, rejection: RecordedResponse, transcript: Transcript) => Finding,
): Judge {
  return on429((rejection, transcript) => {
    const wait = retryAfter(transcript, rejection.exchange)
    const rest = untilReset(transcript, rejection)
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
  const restored = responsesTo(transcript, 'throttle-key').find(({ id }) => id === expected)
  if (restored === undefined) return nothingToJudge(transcript, 'no response came after the limit had reset')
  const ids = [restored.id, rejection.id]
  const { status } = restored.response
  const { limit, remaining } = standingOf(restored)
  if (isGateway(status) || limit === undefined || remaining === undefined)
    return noEvidence('the response after the reset has no valid Limit and Remaining', ...ids)
  if (isSuccess(status) && Math.abs(limit - 1 - remaining) <= 1)
    return holds(`${remaining} of ${limit} remain after one request`, ...ids)
  if (limit !== standingOf(rejection).limit)
    return noEvidence('the headers show another limit than in the 429', ...ids)
  if (header(rejection.response, 'date') === undefined)
    return noEvidence('without a Date, the clock of Reset is not known', ...ids)
  if (usedByOthers(transcript)) return noEvidence(ofOthers, ...ids)
  const got = `it returned ${status}, and ${remaining} remain`
  return broken(`${limit - 1} of ${limit} remaining, give or take one`, got, ...ids)
}

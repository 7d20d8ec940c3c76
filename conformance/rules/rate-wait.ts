import { readHttpDate } from '../transcript/http-date.ts'
import { standingOf } from '../transcript/rate-limits.ts'
import { header, type RecordedResponse, responsesTo } from '../transcript/responses.ts'
import { retryAfter } from '../transcript/retry-after.ts'
import type { Transcript } from '../transcript/transcript.ts'
import { rulesOf } from './define.ts'
import { broken, holds, noEvidence } from './findings.ts'
import { nothingToJudge } from './judging.ts'
import type { Finding, Rule } from './rule.ts'

/** How much longer than until `Reset` a client may have to wait, in seconds. */
const tolerance = 60

/** Section 8: the two headers that state when the limit is there again. */
export const waitRules: readonly Rule[] = [
  rulesOf('exhaust').should(
    'RATE-15',
    's8-retry-after-and-reset',
    '`Retry-After` is at most 60 s longer than until `Reset`',
    judgeAgreement,
  ),
]

function judgeAgreement(transcript: Transcript): Finding {
  const rejection = responsesTo(transcript, 'throttle-key').find(({ response }) => response.status === 429)
  if (rejection === undefined) return nothingToJudge(transcript, 'the burn came to no 429')
  const { id, exchange } = rejection
  const wait = retryAfter(transcript, exchange)
  const { reset } = standingOf(rejection)
  if (wait === undefined || reset === undefined) {
    return noEvidence('the 429 has no valid Retry-After or Reset: see RATE-10 and RATE-4', id)
  }
  const untilReset = reset - sentAt(transcript, rejection)
  return wait > untilReset + tolerance
    ? broken(
        `at most ${tolerance} s more than the ${Math.round(untilReset)} s until Reset`,
        `Retry-After is ${wait} s`,
        id,
      )
    : holds(`Retry-After is ${wait} s, and Reset is in ${Math.round(untilReset)} s`, id)
}

/** When a response was sent, in Unix seconds: its `Date`, or the clock of the suite. */
function sentAt(transcript: Transcript, { exchange, response }: RecordedResponse): number {
  const date = readHttpDate(header(response, 'date') ?? '')
  return (date ?? Date.parse(transcript.startedAt) + exchange.at + response.ms) / 1000
}

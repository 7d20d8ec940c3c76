import { readHttpDate } from '../transcript/http-date.ts'
import {
  type LimitHeader,
  limitedResponses,
  limitHeader,
  limitHeaders,
  standingOf,
  wholeNumber,
} from '../transcript/rate-limits.ts'
import { ratePlans } from '../transcript/rate-plans.ts'
import { header, keyRejection, type RecordedResponse } from '../transcript/responses.ts'
import type { Transcript } from '../transcript/transcript.ts'
import { rulesOf } from './define.ts'
import { notApplicable } from './findings.ts'
import { judgeEach } from './judging.ts'
import type { Finding, Rule } from './rule.ts'

const read = rulesOf('read')

/** The furthest that a reset may lie ahead, in seconds: the longest day of any time zone, and two minutes. */
const furthestReset = (25 * 60 + 2) * 60
/** How far a server's own `Date` may be off from its reset, in seconds, and how far our clock. */
const skew = { server: 5, ours: 300 } as const

/** Section 8. */
export const rateRules: readonly Rule[] = [
  carried('RATE-1', 'X-RateLimit-Limit'),
  carried('RATE-2', 'X-RateLimit-Remaining'),
  carried('RATE-3', 'X-RateLimit-Reset'),
  read.must('RATE-4', '8', 'all three are whole numbers, none negative', (transcript) =>
    judgeEach(
      transcript,
      limitHeaders.flatMap((name) =>
        limitedResponses(transcript).flatMap((recorded) => {
          const value = limitHeader(recorded, name)
          return value === undefined ? [] : [{ id: recorded.id, name, value }]
        }),
      ),
      {
        expected: 'whole numbers from 0 upward',
        fault: ({ name, value }) => (wholeNumber(value) === undefined ? `has ${name}: ${value}` : undefined),
        ifNone: 'no response carried one of them',
      },
    ),
  ),
  read.must('RATE-5', '8', '`Remaining` is never more than `Limit`', (transcript) =>
    judgeEach(
      transcript,
      limitedResponses(transcript).flatMap((recorded) => {
        const { limit, remaining } = standingOf(recorded)
        return limit === undefined || remaining === undefined ? [] : [{ id: recorded.id, limit, remaining }]
      }),
      {
        expected: 'no more remaining than the limit',
        fault: ({ limit, remaining }) =>
          remaining > limit ? `has ${remaining} of ${limit} remaining` : undefined,
        ifNone: 'no response carried both as whole numbers',
      },
    ),
  ),
  read.must(
    'RATE-6',
    '8',
    '`Reset` is a Unix time in seconds, not past nor more than 25 hours and 2 minutes ahead',
    (transcript) =>
      judgeEach(
        transcript,
        limitedResponses(transcript).filter((recorded) => standingOf(recorded).reset !== undefined),
        {
          expected: 'a time that is not past and at most 25 hours and 2 minutes ahead',
          fault: (recorded) => resetProblem(transcript, recorded),
          ifNone: 'no response carried a whole number',
        },
      ),
  ),
  read.must(
    'RATE-8',
    '8',
    'with `--plan`, `Limit` on the responses to the key, 401s apart, is one of that plan’s two numbers',
    judgePlan,
  ),
]

function carried(id: string, name: LimitHeader): Rule {
  return read.must(id, '8', `\`${name}\` on every response, errors included`, (transcript) =>
    judgeEach(transcript, limitedResponses(transcript), {
      expected: `${name} on every response`,
      fault: (recorded) =>
        limitHeader(recorded, name) === undefined ? `(${recorded.response.status}) carries none` : undefined,
      ifNone: 'no response came',
    }),
  )
}

/** Goes by the server's `Date`, else by our real clock from sending to receiving. */
function resetProblem({ startedAt }: Transcript, recorded: RecordedResponse): string | undefined {
  const { reset = 0 } = standingOf(recorded)
  const sent = (Date.parse(startedAt) + recorded.exchange.at) / 1000
  const date = readHttpDate(header(recorded.response, 'date') ?? '')
  const [from, to, give] =
    date === undefined
      ? [sent, sent + recorded.response.ms / 1000, skew.ours]
      : [date / 1000, date / 1000, skew.server]
  if (reset < from - give) return `has ${reset}, ${Math.round(from - reset)} s past`
  return reset > to + furthestReset + give ? `has ${reset}, ${Math.round(reset - to)} s ahead` : undefined
}

function judgePlan(transcript: Transcript): Finding {
  if (transcript.plan === undefined) return notApplicable('no --plan was given')
  const [minute, day] = ratePlans[transcript.plan]
  const isRejected = keyRejection(transcript.exchanges) !== undefined
  const shown = limitedResponses(transcript).filter(
    (recorded) =>
      !isRejected &&
      recorded.exchange.credential === 'key' &&
      recorded.response.status !== 401 &&
      standingOf(recorded).limit !== undefined,
  )
  return judgeEach(transcript, shown, {
    expected: `a limit of ${minute} or ${day}`,
    fault: (recorded) => {
      const { limit } = standingOf(recorded)
      return limit === minute || limit === day ? undefined : `has a limit of ${limit}`
    },
    ifNone: 'no response to the key carried a limit',
  })
}

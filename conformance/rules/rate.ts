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
import { readHttpDate } from '../transcript/waits.ts'
import { rulesOf } from './define.ts'
import { notApplicable } from './findings.ts'
import { judgeEach, placed } from './judging.ts'
import type { Finding, Rule } from './rule.ts'

const read = rulesOf('read')

/** The furthest that `Reset` may be ahead, in seconds: the longest day of any time zone, and two minutes. */
const furthestReset = (25 * 60 + 2) * 60
/** How far the server's `Date` and the suite's clock may differ from the clock of `Reset`, in seconds. */
const skew = { server: 5, ours: 300 } as const

/** Section 8: the three headers. */
export const rateRules: readonly Rule[] = [
  carried('RATE-1', 's8-header-limit', 'X-RateLimit-Limit'),
  carried('RATE-2', 's8-header-remaining', 'X-RateLimit-Remaining'),
  carried('RATE-3', 's8-header-reset', 'X-RateLimit-Reset'),
  read.must(
    'RATE-4',
    's8-whole-numbers',
    'the three limit headers are whole numbers and not negative',
    (transcript) =>
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
          problem: ({ name, value }) =>
            wholeNumber(value) === undefined
              ? { text: `has ${name}: ${value}`, at: { header: name.toLowerCase() } }
              : undefined,
          ifNone: 'no response carried one of them',
        },
      ),
  ),
  read.should(
    'RATE-5',
    's8-remaining-within-limit',
    '`X-RateLimit-Remaining` is never more than `X-RateLimit-Limit`',
    (transcript) =>
      judgeEach(
        transcript,
        limitedResponses(transcript).flatMap((recorded) => {
          const { limit, remaining } = standingOf(recorded)
          return limit === undefined || remaining === undefined ? [] : [{ id: recorded.id, limit, remaining }]
        }),
        {
          expected: 'no more remaining than the limit',
          problem: ({ limit, remaining }) =>
            remaining > limit
              ? { text: `has ${remaining} of ${limit} remaining`, at: { header: 'x-ratelimit-remaining' } }
              : undefined,
          ifNone: 'no response carried both as whole numbers',
        },
      ),
  ),
  read.must(
    'RATE-6',
    's8-reset-time',
    '`X-RateLimit-Reset` is a Unix time in seconds, not past nor more than 25 hours and 2 minutes ahead',
    (transcript) =>
      judgeEach(
        transcript,
        limitedResponses(transcript).filter((recorded) => standingOf(recorded).reset !== undefined),
        {
          expected: 'a time that is not past and at most 25 hours and 2 minutes ahead',
          problem: (recorded) => placed(resetProblem(transcript, recorded), { header: 'x-ratelimit-reset' }),
          ifNone: 'no response carried a whole number',
        },
      ),
  ),
  read.must(
    'RATE-8',
    's8-plan-limit',
    'with `--plan`, `X-RateLimit-Limit` on the responses to the key, 401s apart, is one of that plan’s two numbers',
    judgePlan,
  ),
]

function carried(id: string, statement: string, name: LimitHeader): Rule {
  return read.must(id, statement, `\`${name}\` is on every response, errors included`, (transcript) =>
    judgeEach(transcript, limitedResponses(transcript), {
      expected: `${name} on every response`,
      problem: (recorded) =>
        limitHeader(recorded, name) === undefined
          ? { text: `(${recorded.response.status}) carries none`, at: { header: name.toLowerCase() } }
          : undefined,
      ifNone: 'no response came',
    }),
  )
}

/** Compares `Reset` with the server's `Date`, or with the suite's clock if there is none. */
function resetProblem({ startedAt }: Transcript, recorded: RecordedResponse): string | undefined {
  const { reset = 0 } = standingOf(recorded)
  const sent = (Date.parse(startedAt) + recorded.exchange.at) / 1000
  const date = readHttpDate(header(recorded.response, 'date') ?? '')
  const [from, to, tolerance] =
    date === undefined
      ? [sent, sent + recorded.response.ms / 1000, skew.ours]
      : [date / 1000, date / 1000, skew.server]
  if (reset < from - tolerance) return `has ${reset}, ${Math.round(from - reset)} s past`
  return reset > to + furthestReset + tolerance
    ? `has ${reset}, ${Math.round(reset - to)} s ahead`
    : undefined
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
    problem: (recorded) => {
      const { limit } = standingOf(recorded)
      return limit === minute || limit === day
        ? undefined
        : { text: `has a limit of ${limit}`, at: { header: 'x-ratelimit-limit' } }
    },
    ifNone: 'no response to the key carried a limit',
  })
}

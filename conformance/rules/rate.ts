import { show } from '../transcript/pets.ts'
import { plural } from '../transcript/printable.ts'
import {
  type LimitHeader,
  limitedResponses,
  limitHeaders,
  parseWholeNumber,
  readLimitHeader,
  readLimitNumbers,
} from '../transcript/rate-limits.ts'
import { ratePlans } from '../transcript/rate-plans.ts'
import { findKeyRejection, type RecordedResponse } from '../transcript/responses.ts'
import type { Transcript } from '../transcript/transcript.ts'
import { computeTimeToReset, readDate, readOwnTime } from '../transcript/waits.ts'
import { eachOf, noEvidence, notApplicable } from './judging.ts'
import { type Family, type Finding, must, type StatedRule, should } from './rule.ts'

/** The furthest that `Reset` may be ahead, in seconds: the longest day of any time zone, and two minutes. */
export const furthestReset: number = (25 * 60 + 2) * 60
/** The largest difference of the server's `Date` and of the suite's clock from the clock of `Reset`, in seconds. */
const skew = { server: 5, ours: 300 } as const

/** Section 8: the three headers. */
export const rateRules: Family = {
  'RATE-1 s8-header-limit': carried('X-RateLimit-Limit'),
  'RATE-2 s8-header-remaining': carried('X-RateLimit-Remaining'),
  'RATE-3 s8-header-reset': carried('X-RateLimit-Reset'),
  'RATE-4 s8-whole-numbers': must.read(
    'the three rate-limit headers are numbers and not negative, `X-RateLimit-Remaining` and `X-RateLimit-Reset` whole ones',
    judgeNumbers,
  ),
  'RATE-5 s8-remaining-within-limit': should.read(
    '`X-RateLimit-Remaining` is never more than `X-RateLimit-Limit`',
    eachOf(
      (transcript) =>
        limitedResponses(transcript)
          .map((recorded) => ({ id: recorded.id, ...readLimitNumbers(recorded) }))
          .filter(({ limit, remaining }) => limit !== undefined && remaining !== undefined),
      {
        expected: 'no more remaining than the limit',
        problem: ({ limit = 0, remaining = 0 }) =>
          remaining > limit && `has ${remaining} of ${limit} remaining`,
        at: () => ({ header: 'x-ratelimit-remaining' }),
        ifNone: 'no response carried both as whole numbers',
      },
    ),
  ),
  'RATE-6 s8-reset-time': must.read(
    '`X-RateLimit-Reset` is a Unix time in seconds, not past nor more than 25 hours and 2 minutes ahead',
    eachOf(
      (transcript) => limitedResponses(transcript).filter((one) => readLimitNumbers(one).reset !== undefined),
      {
        expected: 'a time that is not past and at most 25 hours and 2 minutes ahead',
        problem: resetProblem,
        at: () => ({ header: 'x-ratelimit-reset' }),
        ifNone: 'no response carried a whole number',
      },
    ),
  ),
  'RATE-8 s8-plan-limit': must.read(
    'with `--plan`, `X-RateLimit-Limit` on the responses to the key, except 401s, is one of that plan’s two numbers',
    judgePlan,
  ),
}

function carried(name: LimitHeader): StatedRule {
  const judge = eachOf(limitedResponses, {
    expected: `${name} on every response`,
    problem: (recorded) =>
      readLimitHeader(recorded, name) === undefined && `returned ${recorded.response.status} without it`,
    at: () => ({ header: name.toLowerCase() }),
    ifNone: 'no response came',
  })
  return must.read(`\`${name}\` is on every response, errors included`, judge)
}

/** A limit that is a word, such as `unlimited`, proves nothing: an Enterprise limit is custom (section 8). */
function judgeNumbers(transcript: Transcript): Finding {
  const shown = limitHeaders.flatMap((name) =>
    limitedResponses(transcript).flatMap((recorded) => {
      const value = readLimitHeader(recorded, name)
      const lines = recorded.response.headers.filter(([other]) => other === name.toLowerCase()).length
      return value === undefined ? [] : [{ id: recorded.id, name, value, lines }]
    }),
  )
  const isWord = ({ name, value }: { readonly name: LimitHeader; readonly value: string }): boolean =>
    name === 'X-RateLimit-Limit' && /^[a-z]+(?:[ _-][a-z]+)*$/i.test(value)
  const word = shown.find(isWord)
  const finding = eachOf(() => shown.filter((one) => !isWord(one)), {
    expected: 'numbers from 0 upward',
    problem: ({ name, value, lines }) => {
      if (isNumber(name, value)) return undefined
      if (lines > 1) return `has ${lines} ${name} headers: ${value}`
      return `has ${value === '' ? `an empty ${name}` : `${name}: ${value}`}`
    },
    at: ({ name }) => ({ header: name.toLowerCase() }),
    ifNone: 'no response carried one of them',
  })(transcript)
  return finding.outcome === 'broken' || word === undefined
    ? finding
    : noEvidence(`the limit ${show(word.value)} is a word, as a custom limit may be`, word.id)
}

function isNumber(name: LimitHeader, value: string): boolean {
  return (
    parseWholeNumber(value) !== undefined || (name === 'X-RateLimit-Limit' && /^\d+\.\d+$/.test(value.trim()))
  )
}

/** Compares `Reset` with the server's `Date`, or without one with the suite's clock. */
function resetProblem(recorded: RecordedResponse, transcript: Transcript): string | undefined {
  const rest = computeTimeToReset(transcript, recorded) ?? 0
  const date = readDate(recorded.response)
  const tolerance = date === undefined ? skew.ours : skew.server
  const difference = date === undefined ? '' : describeAdvance(date - readOwnTime(transcript, recorded))
  const { reset } = readLimitNumbers(recorded)
  if (rest < -tolerance) return `has ${reset}, ${Math.round(-rest)} s past${difference}`
  return rest > furthestReset + tolerance
    ? `has ${reset}, ${Math.round(rest)} s ahead${difference}`
    : undefined
}

/** Describes by how much the server's `Date` is ahead of the suite's clock, if the difference is large. */
function describeAdvance(ms: number): string {
  const size = Math.abs(Math.round(ms / 1000))
  if (size <= skew.ours) return ''
  const amount =
    size >= 5400 ? plural(Math.round(size / 3600), 'hour') : plural(Math.round(size / 60), 'minute')
  return ` by its Date, which is ${amount} ${ms > 0 ? 'ahead of' : 'behind'} the clock of the suite`
}

function judgePlan(transcript: Transcript): Finding {
  if (transcript.plan === undefined) return notApplicable('no --plan was given')
  const [minute, day] = ratePlans[transcript.plan]
  const isRejected = findKeyRejection(transcript.exchanges) !== undefined
  const shown = limitedResponses(transcript).flatMap((recorded) => {
    const { limit } = readLimitNumbers(recorded)
    const isKeyed = recorded.exchange.credential === 'key' && recorded.response.status !== 401
    return isRejected || !isKeyed || limit === undefined ? [] : [{ id: recorded.id, limit }]
  })
  return eachOf(() => shown, {
    expected: `a limit of ${minute} or ${day}`,
    problem: ({ limit }) => limit !== minute && limit !== day && `has a limit of ${limit}`,
    at: () => ({ header: 'x-ratelimit-limit' }),
    ifNone: 'no response to the key carried a limit',
  })(transcript)
}

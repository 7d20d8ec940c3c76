import { formatValue } from '../transcript/pets.ts'
import { pluralize } from '../transcript/printable.ts'
import {
  type LimitHeader,
  limitHeaders,
  listLimitedResponses,
  parseWholeNumber,
  readLimitHeader,
  readLimitNumbers,
} from '../transcript/rate-limits.ts'
import { ratePlans } from '../transcript/rate-plans.ts'
import { findKeyRejection, type RecordedResponse } from '../transcript/responses.ts'
import type { Transcript } from '../transcript/transcript.ts'
import { computeReceivedAt, computeSecondsToReset, readDate } from '../transcript/waits.ts'
import { judgeEach, noEvidence, notApplicable } from './judging.ts'
import { type Finding, must, type RuleDefinition, type RuleFamily, should } from './rule.ts'

/** Maximum time until `X-RateLimit-Reset`, in seconds. A daily limit may reset at midnight in another time zone. */
export const maxResetSeconds: number = (25 * 60 + 2) * 60
/** Tolerated clock difference in seconds: to the server's `Date`, or to our clock if the server sends none. */
const toleranceSeconds = { server: 5, ours: 300 } as const

/** Rules about the rate-limit headers (section 8). */
export const rateRules: RuleFamily = {
  'RATE-1 s8-header-limit': defineHeaderRule('X-RateLimit-Limit'),
  'RATE-2 s8-header-remaining': defineHeaderRule('X-RateLimit-Remaining'),
  'RATE-3 s8-header-reset': defineHeaderRule('X-RateLimit-Reset'),
  'RATE-4 s8-whole-numbers': must.read(
    'the three rate-limit headers are non-negative numbers, and `X-RateLimit-Remaining` and `X-RateLimit-Reset` are whole numbers',
    judgeNumbers,
  ),
  'RATE-5 s8-remaining-within-limit': should.read(
    '`X-RateLimit-Remaining` is never more than `X-RateLimit-Limit`',
    judgeEach(
      (transcript) =>
        listLimitedResponses(transcript)
          .filter(({ exchange }) => exchange.group === undefined)
          .map((recorded) => ({ id: recorded.id, ...readLimitNumbers(recorded) }))
          .filter(({ limit, remaining }) => limit !== undefined && remaining !== undefined),
      {
        expected: 'X-RateLimit-Remaining at or below X-RateLimit-Limit',
        findProblem: ({ limit = 0, remaining = 0 }) =>
          remaining > limit && `has X-RateLimit-Remaining: ${remaining} and X-RateLimit-Limit: ${limit}`,
        at: () => ({ header: 'x-ratelimit-remaining' }),
        reasonIfNone: 'no response had X-RateLimit-Remaining and X-RateLimit-Limit as whole numbers',
      },
    ),
  ),
  'RATE-6 s8-reset-time': must.read(
    '`X-RateLimit-Reset` is a Unix time in seconds, neither past nor more than 25 hours and 2 minutes ahead',
    judgeEach(
      (transcript) =>
        listLimitedResponses(transcript).filter((one) => readLimitNumbers(one).reset !== undefined),
      {
        expected: 'a Unix time between now and 25 hours and 2 minutes from now',
        findProblem: findResetProblem,
        at: () => ({ header: 'x-ratelimit-reset' }),
        reasonIfNone: 'no response had X-RateLimit-Reset as a whole number',
      },
    ),
  ),
  'RATE-8 s8-plan-limit': must.read(
    'with `--plan`, `X-RateLimit-Limit` on the responses to the key, except 401s, is a number from that plan',
    judgePlan,
  ),
}

function defineHeaderRule(name: LimitHeader): RuleDefinition {
  const judgeHeader = judgeEach(listLimitedResponses, {
    expected: `${name} on every response`,
    findProblem: (recorded) =>
      readLimitHeader(recorded, name) === undefined && `returned ${recorded.response.status} without ${name}`,
    at: () => ({ header: name.toLowerCase() }),
    reasonIfNone: 'no request got a response',
  })
  return must.read(`\`${name}\` is on every response, including errors`, judgeHeader)
}

/** A limit that is a word, such as `unlimited`, proves nothing: section 8 says that Enterprise limits are custom. */
function judgeNumbers(transcript: Transcript): Finding {
  const headerValues = limitHeaders.flatMap((name) =>
    listLimitedResponses(transcript).flatMap((recorded) => {
      const value = readLimitHeader(recorded, name)
      const lines = recorded.response.headers.filter(([other]) => other === name.toLowerCase()).length
      return value === undefined ? [] : [{ id: recorded.id, name, value, lines }]
    }),
  )
  const isWord = ({ name, value }: { readonly name: LimitHeader; readonly value: string }): boolean =>
    name === 'X-RateLimit-Limit' && /^[a-z]+(?:[ _-][a-z]+)*$/i.test(value)
  const wordValue = headerValues.find(isWord)
  const numberFinding = judgeEach(() => headerValues.filter((one) => !isWord(one)), {
    expected: 'non-negative numbers',
    findProblem: ({ name, value, lines }) => {
      if (isLimitNumber(name, value)) return undefined
      if (lines > 1) return `has ${lines} ${name} headers: ${value}`
      return `has ${value === '' ? `an empty ${name}` : `${name}: ${value}`}`
    },
    at: ({ name }) => ({ header: name.toLowerCase() }),
    reasonIfNone: 'no response had a rate-limit header',
  })(transcript)
  return numberFinding.outcome === 'broken' || wordValue === undefined
    ? numberFinding
    : noEvidence(
        `the X-RateLimit-Limit ${formatValue(wordValue.value)} is not a number, which a custom plan may use`,
        wordValue.id,
      )
}

function isLimitNumber(name: LimitHeader, value: string): boolean {
  return (
    parseWholeNumber(value) !== undefined || (name === 'X-RateLimit-Limit' && /^\d+\.\d+$/.test(value.trim()))
  )
}

function findResetProblem(recorded: RecordedResponse, transcript: Transcript): string | undefined {
  const secondsToReset = computeSecondsToReset(transcript, recorded) ?? 0
  const serverDate = readDate(recorded.response)
  const toleratedSeconds = serverDate === undefined ? toleranceSeconds.ours : toleranceSeconds.server
  const clockDifference =
    serverDate === undefined
      ? ''
      : describeClockDifference(serverDate - computeReceivedAt(transcript, recorded))
  const { reset } = readLimitNumbers(recorded)
  if (secondsToReset < -toleratedSeconds)
    return `has X-RateLimit-Reset: ${reset}, ${Math.round(-secondsToReset)} s in the past${clockDifference}`
  return secondsToReset > maxResetSeconds + toleratedSeconds
    ? `has X-RateLimit-Reset: ${reset}, ${Math.round(secondsToReset)} s in the future${clockDifference}`
    : undefined
}

/** Describes a server clock that is more than 5 minutes ahead or behind. */
function describeClockDifference(ms: number): string {
  const seconds = Math.abs(Math.round(ms / 1000))
  if (seconds <= toleranceSeconds.ours) return ''
  const [unitSeconds, unit] = seconds >= 5400 ? ([3600, 'hour'] as const) : ([60, 'minute'] as const)
  const difference = pluralize(Math.round(seconds / unitSeconds), unit)
  return ` according to its Date header, which is ${difference} ${ms > 0 ? 'ahead of' : 'behind'} the suite's clock`
}

function judgePlan(transcript: Transcript): Finding {
  if (transcript.plan === undefined) return notApplicable('the run has no --plan option')
  const [minute, day] = ratePlans[transcript.plan]
  const isRejected = findKeyRejection(transcript.exchanges) !== undefined
  const shownLimits = listLimitedResponses(transcript).flatMap((recorded) => {
    const { limit } = readLimitNumbers(recorded)
    const isKeyed = recorded.exchange.credential === 'key' && recorded.response.status !== 401
    return isRejected || !isKeyed || limit === undefined ? [] : [{ id: recorded.id, limit }]
  })
  return judgeEach(() => shownLimits, {
    expected: `X-RateLimit-Limit: ${minute} or ${day}`,
    findProblem: ({ limit }) => limit !== minute && limit !== day && `has X-RateLimit-Limit: ${limit}`,
    at: () => ({ header: 'x-ratelimit-limit' }),
    reasonIfNone: 'no response to a request with the key had X-RateLimit-Limit',
  })(transcript)
}

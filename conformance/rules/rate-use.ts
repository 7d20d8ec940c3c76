import { countLeaked, getSpanMs, readLimitNumbers } from '../transcript/rate-limits.ts'
import {
  indexOfExchange,
  isOutsideInterface,
  isSuccess,
  listResponsesFor,
  type RecordedResponse,
} from '../transcript/responses.ts'
import { getOperation, type Transcript } from '../transcript/transcript.ts'
import { broken, holds, noEvidence } from './judging.ts'
import { type Finding, type RuleFamily, should } from './rule.ts'

/** The rule that `X-RateLimit-Remaining` falls with use (section 8). */
export const useRules: RuleFamily = {
  'RATE-7 s8-remaining-falls': should.read('`X-RateLimit-Remaining` falls with use', judgeUsage),
}

/** Rate-limit headers from one successful response. */
interface Reading {
  readonly recorded: RecordedResponse
  readonly operation: ReturnType<typeof getOperation>
  readonly limit: number
  readonly remaining: number
}

/** Two consecutive readings with the same operation and limit. */
type Pair = readonly [before: Reading, after: Reading]

const lowerRemaining = 'a lower X-RateLimit-Remaining after each request'

/** Minimum number of pairs without a fall that break the rule, over all operations and for a single one. */
const minPairs = 3
const minPairsPerOperation = 2

/**
 * A fall counts over any time between two readings. A missing fall counts only if the readings are close in time.
 */
function judgeUsage(transcript: Transcript): Finding {
  const readings = findReadings(transcript)
  const allPairs = readings.flatMap((after, n): readonly Pair[] => {
    const before = readings[n - 1]
    if (before === undefined || hasGroupBetween(transcript, before, after)) return []
    return before.operation === after.operation && before.limit === after.limit ? [[before, after]] : []
  })
  const pairs = allPairs.filter(isClose)
  const [first, second] = allPairs.find(([before, after]) => after.remaining < before.remaining) ?? []
  if (first === undefined || second === undefined) return judgeWithoutFall(pairs, transcript)
  const fallDescription = `X-RateLimit-Remaining decreases from ${first.remaining} to ${second.remaining}`
  return judgeOperations(pairs, transcript) ?? holds(fallDescription, second.recorded.id, first.recorded.id)
}

function hasGroupBetween(transcript: Transcript, ...readings: readonly [Reading, Reading]): boolean {
  const [from, to] = readings.map(({ recorded }) => indexOfExchange(transcript, recorded.exchange))
  return transcript.exchanges.slice(from, to).some(({ group }) => group !== undefined)
}

function findReadings(transcript: Transcript): readonly Reading[] {
  return listResponsesFor(transcript, 'key').flatMap((recorded) => {
    const { exchange, response } = recorded
    const { limit, remaining } = readLimitNumbers(recorded)
    if (exchange.group !== undefined || !isSuccess(response.status)) return []
    return limit === undefined || remaining === undefined
      ? []
      : [{ recorded, operation: getOperation(exchange), limit, remaining }]
  })
}

/** Checks whether a leaking bucket explains why `Remaining` did not fall over these pairs. */
function isClose([before, after]: Pair): boolean {
  return countLeaked(before.limit, after.recorded.exchange.at - before.recorded.exchange.at) < 1
}

function judgeWithoutFall(pairs: readonly Pair[], transcript: Transcript): Finding {
  const notCompared = 'responses are close enough in time to compare X-RateLimit-Remaining'
  if (pairs.length < minPairs) return noEvidence(`too few consecutive ${notCompared}`)
  if (pairs.flat().every(({ remaining, limit }) => remaining === limit))
    return noEvidence('X-RateLimit-Remaining equals X-RateLimit-Limit throughout, so there may be no limit')
  const keyedExchanges = transcript.exchanges.filter(
    ({ id, credential }) => credential === 'key' && !isOutsideInterface(id),
  )
  const missingOperations = new Set(keyedExchanges.map(getOperation))
  for (const [, { operation }] of pairs) missingOperations.delete(operation)
  if (missingOperations.size > 0)
    return noEvidence(`no ${[...missingOperations].join(' or ')} ${notCompared}`)
  const [run] = groupConsecutivePairs(pairs).filter((some) => !isExplainedByLeak(some) && isBelowLimit(some))
  const [first, last] = [run?.[0]?.[0], run?.at(-1)?.[1]]
  if (run === undefined || first === undefined || last === undefined)
    return noEvidence('X-RateLimit-Remaining does not decrease, which a leaking bucket can explain')
  const actualRemaining = `${last.remaining} requests remain after ${run.length} more requests, but ${first.remaining} remained before them`
  return broken(lowerRemaining, actualRemaining, last.recorded.id, first.recorded.id)
}

function groupConsecutivePairs(pairs: readonly Pair[]): readonly (readonly Pair[])[] {
  const startIndexes = pairs.flatMap(([before], n) => (pairs[n - 1]?.[1] === before ? [] : [n]))
  return startIndexes.map((start, n) => pairs.slice(start, startIndexes[n + 1]))
}

/**
 * Judges each operation on its own, once `Remaining` has fallen with another. Several servers that count separately can
 * explain an operation that lowers `Remaining` only sometimes.
 */
function isExplainedByLeak(pairs: readonly Pair[]): boolean {
  const [first, last] = [pairs[0]?.[0], pairs.at(-1)?.[1]]
  if (first === undefined || last === undefined) return true
  return pairs.length - countLeaked(first.limit, getSpanMs(first.recorded, last.recorded)) < 1
}

function isBelowLimit(pairs: readonly Pair[]): boolean {
  const lastReading = pairs.at(-1)?.[1]
  return lastReading !== undefined && lastReading.remaining < lastReading.limit
}

/**
 * Checks that the later request was certainly charged. Rejected requests between the readings may have been charged or
 * not.
 */
function judgeOperations(pairs: readonly Pair[], transcript: Transcript): Finding | undefined {
  const operations = [...new Set(pairs.map(([, { operation }]) => operation))]
  const uncounted = operations.flatMap((operation) => {
    const ownPairs = pairs.filter(([, after]) => after.operation === operation)
    const still = ownPairs.filter((pair) => pair[0].remaining === pair[1].remaining && isBelowLimit([pair]))
    const falls = ownPairs.some((pair) => isFall(pair, transcript))
    return isExplainedByLeak(still) ? [] : [{ operation, falls, still: still.map(([, after]) => after) }]
  })
  const listIds = (some: readonly Reading[]): readonly string[] => some.map(({ recorded }) => recorded.id)
  const partly = uncounted.find(({ falls }) => falls)
  if (partly !== undefined) {
    const reason = `only some ${partly.operation} requests decrease X-RateLimit-Remaining`
    return noEvidence(reason, ...listIds(partly.still))
  }
  const never = uncounted.find(({ still }) => still.length >= minPairsPerOperation)
  if (never !== undefined) {
    const actualRemaining = `${never.still.at(-1)?.remaining} requests remain before and after a ${never.operation} request, although other operations decrease X-RateLimit-Remaining`
    return broken(lowerRemaining, actualRemaining, ...listIds(never.still).toReversed())
  }
  const [few] = uncounted
  const reason = `X-RateLimit-Remaining does not decrease with ${few?.operation}, but too few of its responses are close in time`
  return few && noEvidence(reason)
}

/** Checks that `Remaining` fell by at least one for every request in between. */
function isFall([before, after]: Pair, transcript: Transcript): boolean {
  const [from, to] = [before, after].map(({ recorded }) => indexOfExchange(transcript, recorded.exchange) + 1)
  const requestCount = transcript.exchanges.slice(from, to).reduce((sum, { times = 1 }) => sum + times, 0)
  return before.remaining - after.remaining >= requestCount
}

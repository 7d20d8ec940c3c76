import { computeLeak, measureSpan, readLimitNumbers } from '../transcript/rate-limits.ts'
import {
  findPlace,
  isOutside,
  isSuccess,
  listResponsesTo,
  type RecordedResponse,
} from '../transcript/responses.ts'
import { readOperation, type Transcript } from '../transcript/transcript.ts'
import { broken, holds, noEvidence } from './judging.ts'
import { type Family, type Finding, should } from './rule.ts'

/** Section 8: `Remaining` falls as the key is used. */
export const useRules: Family = {
  'RATE-7 s8-remaining-falls': should.read('`X-RateLimit-Remaining` falls with use', judgeUse),
}

/** The rate-limit headers of a successful response to the key. A rejected request may be charged or not. */
interface Reading {
  readonly recorded: RecordedResponse
  readonly operation: string
  readonly limit: number
  readonly remaining: number
}

type Pair = readonly [before: Reading, after: Reading]

/** Minimum number of pairs of consecutive responses; for one operation, while `Remaining` falls with another. */
const leastPairs = 3
const leastPairsOfOne = 2

/** A fall counts over any time between two readings. The absence of a fall counts only over readings close in time. */
function judgeUse(transcript: Transcript): Finding {
  const readings = findReadings(transcript)
  const pairs = readings.flatMap((after, n): readonly Pair[] => {
    const before = readings[n - 1]
    return before !== undefined && isClose(before, after) ? [[before, after]] : []
  })
  const [first, second] = findFall(readings) ?? []
  if (first === undefined || second === undefined) return judgeWithoutFall(pairs, transcript)
  const fall = `it falls from ${first.remaining} to ${second.remaining}`
  return judgeOperations(pairs, transcript) ?? holds(fall, second.recorded.id, first.recorded.id)
}

function findReadings(transcript: Transcript): readonly Reading[] {
  return listResponsesTo(transcript, 'key').flatMap((recorded) => {
    const { limit, remaining } = readLimitNumbers(recorded)
    return isSuccess(recorded.response.status) && limit !== undefined && remaining !== undefined
      ? [{ recorded, operation: readOperation(recorded.exchange), limit, remaining }]
      : []
  })
}

/**
 * Returns whether a bucket gains less than a request between readings: one that fills as fast as it is used need not
 * fall.
 */
function isClose(before: Reading, after: Reading): boolean {
  const ms = after.recorded.exchange.at - before.recorded.exchange.at
  return before.limit === after.limit && computeLeak(before.limit, ms) < 1
}

/** Returns the first two readings with one limit and less remaining in the later one. */
function findFall(readings: readonly Reading[]): Pair | undefined {
  const last = new Map<number, Reading>()
  for (const reading of readings) {
    const before = last.get(reading.limit)
    if (before !== undefined && reading.remaining < before.remaining) return [before, reading]
    last.set(reading.limit, reading)
  }
  return undefined
}

function judgeWithoutFall(pairs: readonly Pair[], transcript: Transcript): Finding {
  if (pairs.length < leastPairs) return noEvidence('too few responses are close enough in time')
  if (pairs.flat().every(({ remaining, limit }) => remaining === limit))
    return noEvidence('it stays at the limit, so limits may not apply to these operations')
  const judged = new Set<string>(pairs.map(([, { operation }]) => operation))
  const missing = listOperations(transcript).filter((operation) => !judged.has(operation))
  if (missing.length > 0) return noEvidence(`no response of ${missing.join(' and ')} is close enough in time`)
  const run = groupRuns(pairs).find((some) => !isRefill(some) && isBelow(some))
  const [first, last] = [run?.[0]?.[0], run?.at(-1)?.[1]]
  if (run === undefined || first === undefined || last === undefined)
    return noEvidence('it does not fall, which a bucket that fills while it is used explains')
  const got = `${last.remaining} remain after ${run.length} more, and ${first.remaining} before`
  return broken('less remaining after each request', got, last.recorded.id, first.recorded.id)
}

function listOperations({ exchanges }: Transcript): readonly string[] {
  const keyed = exchanges.filter(({ id, credential }) => credential === 'key' && !isOutside(id))
  return [...new Set(keyed.map(readOperation))]
}

/** Groups pairs into runs. Within a run, each pair begins with the end of the one before it. */
function groupRuns(pairs: readonly Pair[]): readonly (readonly Pair[])[] {
  const starts = pairs.flatMap(([before], n) => (pairs[n - 1]?.[1] === before ? [] : [n]))
  return starts.map((start, n) => pairs.slice(start, starts[n + 1]))
}

/** Returns whether a bucket that fills while it is used explains that `Remaining` stood still so often. */
function isRefill(pairs: readonly Pair[]): boolean {
  const [first, last] = [pairs[0]?.[0], pairs.at(-1)?.[1]]
  if (first === undefined || last === undefined) return true
  return pairs.length - computeLeak(first.limit, measureSpan(first.recorded, last.recorded)) < 1
}

function isBelow(pairs: readonly Pair[]): boolean {
  const last = pairs.at(-1)?.[1]
  return last !== undefined && last.remaining < last.limit
}

/**
 * Judges the operations that leave `Remaining` unchanged, although others lower it. If an operation lowers it only at
 * times, as with several servers that count separately, no operation is judged.
 */
function judgeOperations(pairs: readonly Pair[], transcript: Transcript): Finding | undefined {
  const uncounted = [...new Set(pairs.map(([, { operation }]) => operation))].flatMap((operation) => {
    const own = pairs.filter(([, after]) => after.operation === operation)
    const still = own.filter((pair) => pair[0].remaining === pair[1].remaining && isBelow([pair]))
    const falls = own.some((pair) => isFall(pair, transcript))
    return isRefill(still) ? [] : [{ operation, still, falls }]
  })
  const listIds = (some: readonly Pair[]): readonly string[] => some.map(([, { recorded }]) => recorded.id)
  const atTimes = uncounted.find(({ falls }) => falls)
  if (atTimes !== undefined)
    return noEvidence(`it falls with ${atTimes.operation} at times only`, ...listIds(atTimes.still))
  const never = uncounted.find(({ still }) => still.length >= leastPairsOfOne)
  if (never !== undefined) {
    const left = never.still.at(-1)?.[1].remaining
    const got = `${left} remain before and after a request of ${never.operation}, while others lower it`
    return broken('less remaining after each request', got, ...listIds(never.still).toReversed())
  }
  const [few] = uncounted
  return (
    few && noEvidence(`it does not fall with ${few.operation}, of which too few responses are close in time`)
  )
}

/**
 * Returns whether the later request was charged for certain: rejected requests between the two may be charged or not.
 */
function isFall([before, after]: Pair, transcript: Transcript): boolean {
  const [from, to] = [before, after].map(({ recorded }) => findPlace(transcript, recorded.exchange) + 1)
  const requests = transcript.exchanges.slice(from, to).reduce((sum, { times = 1 }) => sum + times, 0)
  return before.remaining - after.remaining >= requests
}

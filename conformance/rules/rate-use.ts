import { refilled, spanOf, standingOf } from '../transcript/rate-limits.ts'
import { isOutside, isSuccess, placeOf, type RecordedResponse, responsesTo } from '../transcript/responses.ts'
import { operationOf, type Transcript } from '../transcript/transcript.ts'
import { broken, holds, noEvidence } from './judging.ts'
import { type Family, type Finding, should } from './rule.ts'

/** Section 8: `Remaining` falls as the key is used. */
export const useRules: Family = {
  'RATE-7': should.read('s8-remaining-falls', '`X-RateLimit-Remaining` falls with use', judgeUse),
}

/** The rate-limit headers of a successful response to the key. */
interface Reading {
  readonly recorded: RecordedResponse
  readonly limit: number
  readonly remaining: number
}

/** Fewer pairs of consecutive responses are no evidence; of one operation, while it falls with another. */
const leastPairs = 3
const leastPairsOfOne = 2

/** A fall counts whatever time lies between two readings. That there is none counts only over readings close in time. */
function judgeUse(transcript: Transcript): Finding {
  const runs = runsOf(transcript)
  const fell = fallOf(transcript)
  if (fell !== undefined) {
    const [first, second] = fell
    return (
      judgeOperations(runs, transcript) ??
      holds(`it falls from ${first.remaining} to ${second.remaining}`, second.recorded.id, first.recorded.id)
    )
  }
  const later = runs.flatMap((run) => run.slice(1))
  if (later.length < leastPairs) return noEvidence('too few responses are close enough in time')
  if (runs.flat().every(({ remaining, limit }) => remaining === limit)) {
    return noEvidence('it stays at the limit, so limits may not apply to these operations')
  }
  const judged = new Set<string>(later.map(({ recorded }) => operationOf(recorded.exchange)))
  const missing = operationsOf(transcript).filter((operation) => !judged.has(operation))
  if (missing.length > 0) return noEvidence(`no response of ${missing.join(' and ')} is close enough in time`)
  return (
    runs.map(judgeRun).find((finding) => finding !== undefined) ??
    noEvidence('it does not fall, which a bucket that fills while it is used explains')
  )
}

type Pair = readonly [before: Reading, after: Reading]

/**
 * Judges the operations with which `Remaining` stands still, although it falls with others. Where one operation lowers it
 * at times, as where several servers count by themselves, no operation is judged.
 */
function judgeOperations(runs: readonly (readonly Reading[])[], transcript: Transcript): Finding | undefined {
  const pairs = runs.flatMap((run) => run.slice(1).map((after, n): Pair => [run[n] ?? after, after]))
  const still = pairs.filter(([before, after]) => isStill(before, after))
  const falling = new Set(pairs.filter((pair) => isFall(pair, transcript)).map(operationIn))
  const uncounted = [...new Set(still.map(operationIn))]
    .map((operation) => ({ operation, some: still.filter((pair) => operationIn(pair) === operation) }))
    .filter(({ some }) => !isRefill(some))
  const atTimes = uncounted.find(({ operation }) => falling.has(operation))
  if (atTimes !== undefined)
    return noEvidence(`it falls with ${atTimes.operation} at times only`, ...idsOf(atTimes.some))
  const [never] = uncounted.filter(({ some }) => some.length >= leastPairsOfOne)
  if (never !== undefined) {
    const left = never.some.at(-1)?.[1].remaining
    const got = `${left} remain before and after a request of ${never.operation}, while others lower it`
    return broken('less remaining after each request', got, ...idsOf(never.some).toReversed())
  }
  const [few] = uncounted
  return (
    few && noEvidence(`it does not fall with ${few.operation}, of which too few responses are close in time`)
  )
}

/** Whether a bucket that fills while it is used explains that `Remaining` stood still so often. */
function isRefill(pairs: readonly Pair[]): boolean {
  const [first] = pairs
  const last = pairs.at(-1)
  if (first === undefined || last === undefined) return true
  return pairs.length - refilled(first[0].limit, spanOf(first[0].recorded, last[1].recorded)) < 1
}

function idsOf(pairs: readonly Pair[]): readonly string[] {
  return pairs.map(([, { recorded }]) => recorded.id)
}

function operationIn([, { recorded }]: Pair): string {
  return operationOf(recorded.exchange)
}

function isStill(before: Reading, after: Reading): boolean {
  return after.remaining === before.remaining && after.remaining < after.limit
}

/** Whether the later request was charged for certain: what another key sent between the two may be charged or not. */
function isFall([before, after]: Pair, transcript: Transcript): boolean {
  const [from, to] = [before, after].map(({ recorded }) => placeOf(transcript, recorded.exchange) + 1)
  const requests = transcript.exchanges.slice(from, to).reduce((sum, { times = 1 }) => sum + times, 0)
  return before.remaining - after.remaining >= requests
}

/** Returns the first two readings with one limit, the later of which has less remaining. */
function fallOf(transcript: Transcript): readonly [Reading, Reading] | undefined {
  const last = new Map<number, Reading>()
  for (const recorded of responsesTo(transcript, 'key')) {
    const reading = readingOf(recorded)
    if (reading === undefined) continue
    const first = last.get(reading.limit)
    if (first !== undefined && reading.remaining < first.remaining) return [first, reading]
    last.set(reading.limit, reading)
  }
  return undefined
}

function operationsOf({ exchanges }: Transcript): readonly string[] {
  const keyed = exchanges.filter(({ id, credential }) => credential === 'key' && !isOutside(id))
  return [...new Set(keyed.map(operationOf))]
}

/**
 * Returns runs of consecutive readings with one limit, closer in time than a bucket gains one request: the `Remaining`
 * of a bucket that fills as fast as it is used need not fall.
 */
function runsOf(transcript: Transcript): readonly (readonly Reading[])[] {
  const runs: Reading[][] = []
  let open: Reading[] = []
  for (const recorded of responsesTo(transcript, 'key')) {
    const reading = readingOf(recorded)
    // a rejected request may be charged or not
    if (reading === undefined) continue
    const last = open.at(-1)
    if (last !== undefined && isClose(last, reading)) {
      open.push(reading)
    } else {
      open = [reading]
      runs.push(open)
    }
  }
  return runs
}

function readingOf(recorded: RecordedResponse): Reading | undefined {
  const { limit, remaining } = standingOf(recorded)
  return isSuccess(recorded.response.status) && limit !== undefined && remaining !== undefined
    ? { recorded, limit, remaining }
    : undefined
}

function isClose(first: Reading, second: Reading): boolean {
  const ms = second.recorded.exchange.at - first.recorded.exchange.at
  return first.limit === second.limit && refilled(first.limit, ms) < 1
}

/** Judges a run only if the bucket gained at least one request less than were used, so that rounding hides nothing. */
function judgeRun(run: readonly Reading[]): Finding | undefined {
  const [first] = run
  const last = run.at(-1)
  if (first === undefined || last === undefined || last.remaining >= last.limit) return undefined
  const used = run.length - 1
  return used - refilled(first.limit, spanOf(first.recorded, last.recorded)) < 1
    ? undefined
    : broken(
        'less remaining after each request',
        `${last.remaining} remain after ${used} more, and ${first.remaining} before`,
        last.recorded.id,
        first.recorded.id,
      )
}

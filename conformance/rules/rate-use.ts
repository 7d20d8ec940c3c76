import { refilled, spanOf, standingOf } from '../transcript/rate-limits.ts'
import { isSuccess, type RecordedResponse, responsesTo } from '../transcript/responses.ts'
import type { Transcript } from '../transcript/transcript.ts'
import { rulesOf } from './define.ts'
import { broken, holds, noEvidence } from './findings.ts'
import type { Finding, Rule } from './rule.ts'

/** Section 8: `Remaining` falls as the key is used. */
export const useRules: readonly Rule[] = [
  rulesOf('read').must('RATE-7', 's8-remaining-falls', '`Remaining` falls with use', judgeUse),
]

/** The limit headers of a successful response to the key. */
interface Reading {
  readonly recorded: RecordedResponse
  readonly limit: number
  readonly remaining: number
}

/** Fewer pairs of consecutive responses are no evidence. */
const leastPairs = 3

function judgeUse(transcript: Transcript): Finding {
  const runs = runsOf(transcript)
  const pairs = runs.flatMap((run) => run.slice(1).map((second, n) => [run[n] ?? second, second] as const))
  if (pairs.length < leastPairs) return noEvidence('too few responses are close enough in time')
  const fell = pairs.find(([first, second]) => second.remaining < first.remaining)
  if (fell !== undefined) {
    const [first, second] = fell
    return holds(
      `it falls from ${first.remaining} to ${second.remaining}`,
      second.recorded.id,
      first.recorded.id,
    )
  }
  if (runs.flat().every(({ remaining, limit }) => remaining === limit)) {
    return noEvidence('it stays at the limit, so limits may not apply to this operation')
  }
  return (
    runs.map(judgeRun).find((finding) => finding !== undefined) ??
    noEvidence('it does not fall, which a bucket that fills while it is used explains')
  )
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
    const last = open.at(-1)
    if (reading !== undefined && last !== undefined && isClose(last, reading)) {
      open.push(reading)
    } else {
      open = reading === undefined ? [] : [reading]
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

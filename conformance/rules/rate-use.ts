import { dripped, spanOf, standingOf } from '../transcript/rate-limits.ts'
import { isSuccess, type RecordedResponse, responsesTo } from '../transcript/responses.ts'
import type { Transcript } from '../transcript/transcript.ts'
import { rulesOf } from './define.ts'
import { broken, holds, noEvidence } from './findings.ts'
import type { Finding, Rule } from './rule.ts'

/** Section 8: what remains goes down as the key is used. */
export const useRules: readonly Rule[] = [
  rulesOf('read').must('RATE-7', '8', '`Remaining` goes down with use', judgeUse),
]

/** What an accepted response to the key says. */
interface Reading {
  readonly recorded: RecordedResponse
  readonly limit: number
  readonly remaining: number
}

/** Fewer pairs of responses in a row than this prove nothing. */
const leastPairs = 3

function judgeUse(transcript: Transcript): Finding {
  const runs = runsOf(transcript)
  const pairs = runs.flatMap((run) => run.slice(1).map((second, n) => [run[n] ?? second, second] as const))
  if (pairs.length < leastPairs) return noEvidence('too few responses are close enough in time to tell')
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
    return noEvidence('it stands at the limit: whether limits apply to these endpoints is not shown')
  }
  return (
    runs.map(judgeRun).find((finding) => finding !== undefined) ??
    noEvidence('it does not fall, as a bucket may not that fills while it is used')
  )
}

/**
 * The readings in a row that show one limit and are closer in time than one request drips in: a bucket that drips as
 * fast as it is used need not go down.
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
  return first.limit === second.limit && dripped(first.limit, ms) < 1
}

/** What drips in over a run must fall short of what it used by one request, so that even a rounded number shows it. */
function judgeRun(run: readonly Reading[]): Finding | undefined {
  const [first] = run
  const last = run.at(-1)
  if (first === undefined || last === undefined || last.remaining >= last.limit) return undefined
  const used = run.length - 1
  return used - dripped(first.limit, spanOf(first.recorded, last.recorded)) < 1
    ? undefined
    : broken(
        'less remaining after each request',
        `${last.remaining} remain after ${used} more, and ${first.remaining} before`,
        last.recorded.id,
        first.recorded.id,
      )
}

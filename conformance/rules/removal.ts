import { memoize } from '../transcript/memoize.ts'
import { listResponses } from '../transcript/responses.ts'
import type { Transcript } from '../transcript/transcript.ts'
import { readDate } from '../transcript/waits.ts'
import { notApplicable } from './judging.ts'
import type { Judge } from './rule.ts'

const dayMs = 86_400_000
/** When getPet is removed (section 9), at midnight UTC. */
const removalTime = Date.UTC(2030, 11, 5)

/**
 * Checks that getPet cannot have been removed yet. Both the suite's clock and the server's `Date` must be more than a
 * day before 5 December 2030.
 */
export function isBeforeRemoval(transcript: Transcript): boolean {
  return listTimes(transcript).every((time) => time < removalTime - dayMs)
}

/** Creates a judge that does not apply once getPet may have been removed. */
export function judgeUntilRemoval(judge: Judge): Judge {
  return (transcript) =>
    isBeforeRemoval(transcript)
      ? judge(transcript)
      : notApplicable(
          'getPet is removed on 5 December 2030, and the clock of the server or the suite has reached 4 December',
        )
}

/** Creates a judge that applies only from 7 December 2030 on, by the suite's clock and by the server's. */
export function judgeAfterRemoval(judge: Judge): Judge {
  return (transcript) =>
    listTimes(transcript).every((time) => time >= removalTime + 2 * dayMs)
      ? judge(transcript)
      : notApplicable('the clock of the server or the suite has not reached 7 December 2030')
}

/**
 * Lists the earliest and latest time by the suite's clock, and every `Date` that the server sent. Without a `Date`, the
 * real clock is used.
 */
const listTimes: (transcript: Transcript) => readonly number[] = memoize((transcript) => {
  const { now, startedAt, durationMs } = transcript
  const toRunSpan = (start: string): readonly number[] => [Date.parse(start), Date.parse(start) + durationMs]
  const dates = listResponses(transcript).flatMap(({ response }) => readDate(response) ?? [])
  return [...toRunSpan(now), ...(dates.length > 0 ? dates : toRunSpan(startedAt))]
})

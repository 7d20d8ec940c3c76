import { memoize } from '../transcript/memoize.ts'
import { responses } from '../transcript/responses.ts'
import type { Transcript } from '../transcript/transcript.ts'
import { readDate } from '../transcript/waits.ts'
import { notApplicable } from './judging.ts'
import type { Judge } from './rule.ts'

const day = 86_400_000
/** The day getPet is removed (section 9), at midnight UTC. */
const removal = Date.UTC(2030, 11, 5)

/** Returns whether getPet cannot have been removed yet, by both clocks. */
export function isBeforeRemoval(transcript: Transcript): boolean {
  return times(transcript).every((time) => time < removal - day)
}

/** Judges a rule that applies before getPet is removed: more than a day before that date, by both clocks. */
export function untilRemoval(judge: Judge): Judge {
  return (transcript) =>
    isBeforeRemoval(transcript)
      ? judge(transcript)
      : notApplicable('getPet is removed on 5 December 2030, which one of the clocks has reached')
}

/** Judges a rule that applies from 7 December 2030 on, by both clocks. */
export function judgeAfterRemoval(judge: Judge): Judge {
  return (transcript) =>
    times(transcript).every((time) => time >= removal + 2 * day)
      ? judge(transcript)
      : notApplicable('one of the clocks has not reached 7 December 2030')
}

/**
 * The times of the suite's clock at the start and the end, and the server's `Date`; without a `Date`, the real clock.
 */
const times: (transcript: Transcript) => readonly number[] = memoize((transcript) => {
  const { now, startedAt, durationMs } = transcript
  const spanFrom = (start: string): readonly number[] => [Date.parse(start), Date.parse(start) + durationMs]
  const dates = responses(transcript).flatMap(({ response }) => readDate(response) ?? [])
  return [...spanFrom(now), ...(dates.length > 0 ? dates : spanFrom(startedAt))]
})

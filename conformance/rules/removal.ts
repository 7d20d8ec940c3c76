import { once } from '../transcript/once.ts'
import { header, responses } from '../transcript/responses.ts'
import type { Transcript } from '../transcript/transcript.ts'
import { readHttpDate } from '../transcript/waits.ts'
import { notApplicable } from './findings.ts'
import type { Finding } from './rule.ts'

const day = 86_400_000
/** The day on which getPet is removed (section 9), at midnight UTC. */
const removal = Date.UTC(2030, 11, 5)

/** Whether getPet cannot have been removed yet, by both clocks. */
export function isBeforeRemoval(transcript: Transcript): boolean {
  const latest = clocks(transcript)
    .flat()
    .reduce((a, b) => Math.max(a, b))
  return latest < removal - day
}

/** Judges a rule that applies before getPet is removed: more than a day before that date, by both clocks. */
export function untilRemoval(transcript: Transcript, judge: () => Finding): Finding {
  return isBeforeRemoval(transcript)
    ? judge()
    : notApplicable('getPet is removed on 5 December 2030, which one of the clocks has reached')
}

/** Judges a rule that applies from 7 December 2030 on, by both clocks. */
export function afterRemoval(transcript: Transcript, judge: () => Finding): Finding {
  const earliest = clocks(transcript)
    .flat()
    .reduce((a, b) => Math.min(a, b))
  return earliest >= removal + 2 * day
    ? judge()
    : notApplicable('one of the clocks has not reached 7 December 2030')
}

/** Returns the times of the suite's clock and of the server's `Date`; without a `Date`, of the real clock. */
const clocks: (transcript: Transcript) => readonly (readonly number[])[] = once((transcript) => {
  const { durationMs } = transcript
  const spanFrom = (start: string): readonly number[] => [Date.parse(start), Date.parse(start) + durationMs]
  const dates = responses(transcript).flatMap(
    ({ response }) => readHttpDate(header(response, 'date') ?? '') ?? [],
  )
  return [spanFrom(transcript.now), dates.length > 0 ? dates : spanFrom(transcript.startedAt)]
})

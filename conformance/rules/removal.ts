import { once } from '../transcript/once.ts'
import { header, responses } from '../transcript/responses.ts'
import type { Transcript } from '../transcript/transcript.ts'
import { readHttpDate } from '../transcript/waits.ts'
import { notApplicable } from './judging.ts'
import type { Judge } from './rule.ts'

const day = 86_400_000
/** The day on which getPet is removed (section 9), at midnight UTC. */
const removal = Date.UTC(2030, 11, 5)

/** Whether getPet cannot have been removed yet, by both clocks. */
export function isBeforeRemoval(transcript: Transcript): boolean {
  return clocks(transcript).latest < removal - day
}

/** Judges a rule that applies before getPet is removed: more than a day before that date, by both clocks. */
export function untilRemoval(judge: Judge): Judge {
  return (transcript) =>
    isBeforeRemoval(transcript)
      ? judge(transcript)
      : notApplicable('getPet is removed on 5 December 2030, which one of the clocks has reached')
}

/** Judges a rule that applies from 7 December 2030 on, by both clocks. */
export function afterRemoval(judge: Judge): Judge {
  return (transcript) =>
    clocks(transcript).earliest >= removal + 2 * day
      ? judge(transcript)
      : notApplicable('one of the clocks has not reached 7 December 2030')
}

/** The span of the suite's clock and of the server's `Date`; without a `Date`, of the real clock. */
const clocks: (transcript: Transcript) => { readonly earliest: number; readonly latest: number } = once(
  (transcript) => {
    const { durationMs } = transcript
    const spanFrom = (start: string): readonly number[] => [Date.parse(start), Date.parse(start) + durationMs]
    const dates = responses(transcript).flatMap(
      ({ response }) => readHttpDate(header(response, 'date') ?? '') ?? [],
    )
    const times = [
      ...spanFrom(transcript.now),
      ...(dates.length > 0 ? dates : spanFrom(transcript.startedAt)),
    ]
    return {
      earliest: times.reduce((a, b) => Math.min(a, b)),
      latest: times.reduce((a, b) => Math.max(a, b)),
    }
  },
)

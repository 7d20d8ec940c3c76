import { readHttpDate } from '../transcript/http-date.ts'
import { once } from '../transcript/once.ts'
import { header, responses } from '../transcript/responses.ts'
import type { Transcript } from '../transcript/transcript.ts'
import { notApplicable } from './findings.ts'
import type { Finding } from './rule.ts'

const day = 86_400_000
/** The date of sections 4.3 and 9, at midnight UTC. */
const removal = Date.UTC(2030, 11, 5)

/** Judges what is asked of getPet until it is removed: more than a day before the date, by both clocks. */
export function untilRemoval(transcript: Transcript, judge: () => Finding): Finding {
  const latest = clocks(transcript)
    .flat()
    .reduce((a, b) => Math.max(a, b))
  return latest < removal - day
    ? judge()
    : notApplicable('getPet is removed on 5 December 2030, and by one of the clocks that may have come')
}

/** Judges what is asked of getPet from 7 December 2030 on, by both clocks. */
export function afterRemoval(transcript: Transcript, judge: () => Finding): Finding {
  const earliest = clocks(transcript)
    .flat()
    .reduce((a, b) => Math.min(a, b))
  return earliest >= removal + 2 * day
    ? judge()
    : notApplicable('by one of the clocks it is not yet 7 December 2030')
}

/** What the suite's clock and the server's `Date` say; where it sends none, the real clock stands in for it. */
const clocks: (transcript: Transcript) => readonly (readonly number[])[] = once((transcript) => {
  const { durationMs } = transcript
  const spanFrom = (start: string): readonly number[] => [Date.parse(start), Date.parse(start) + durationMs]
  const dates = responses(transcript).flatMap(
    ({ response }) => readHttpDate(header(response, 'date') ?? '') ?? [],
  )
  return [spanFrom(transcript.now), dates.length > 0 ? dates : spanFrom(transcript.startedAt)]
})

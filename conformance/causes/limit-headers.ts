import { furthestReset } from '../rules/rate.ts'
import {
  type LimitHeader,
  limitedResponses,
  limitHeader,
  limitHeaders,
  wholeNumber,
} from '../transcript/rate-limits.ts'
import { header, isGateway, isOutside, type RecordedResponse, responses } from '../transcript/responses.ts'
import type { Transcript } from '../transcript/transcript.ts'
import { sentAt } from '../transcript/waits.ts'
import { brokenIn, countOf, type FaultKind, fault, repairable, withHeader } from './cause.ts'

/** The names that other conventions have for the three headers. The first part is that of the name. */
const otherPrefixes = ['ratelimit-', 'x-rate-limit-', 'rate-limit-', 'x-ratelimit-requests-']

/** The three headers of section 8 are missing or have other names, or the reset has another form. */
export const limitHeaderFaults: readonly FaultKind[] = [
  repairable({
    id: 'renamed-limit-headers',
    repair: (recorded, run) => {
      const added = limitedResponses(run).includes(recorded) ? renamed(recorded) : []
      return added.length === 0 ? undefined : { headers: [...recorded.response.headers, ...added] }
    },
    title: (first) => `The rate-limit headers have other names, such as ${otherName(first, limitHeaders[0])}`,
    advice: `send ${limitHeaders.join(', ')}, besides the others if clients use them`,
  }),
  fault({
    id: 'no-limit-headers',
    least: 2,
    shownBy: (transcript) => dueOf(transcript).filter(lacksAll),
    title: (_, without, run) =>
      `The three rate-limit headers are missing from ${countOf(without, dueOf(run))}`,
    advice: 'add them where every response passes, outside of the checks that may end a request early',
    explains: () => brokenIn('RATE-1', 'RATE-2', 'RATE-3', 'RATE-11'),
  }),
  repairable({
    id: 'reset-in-seconds-to-go',
    repair(recorded, run) {
      const isLimited = limitedResponses(run).includes(recorded)
      const value = isLimited ? wholeNumber(limitHeader(recorded, 'X-RateLimit-Reset')) : undefined
      if (value === undefined || value >= furthestReset) return undefined
      const time = Math.ceil(sentAt(run, recorded)) + value
      return { headers: withHeader(recorded.response, 'x-ratelimit-reset', String(time)) }
    },
    title: (first) =>
      `X-RateLimit-Reset: ${limitHeader(first, 'X-RateLimit-Reset')} looks like seconds to go; the interface requires a Unix time in seconds`,
    advice: (_first, _all, { startedAt }) =>
      `send the time at which the limit resets, such as ${Math.floor(Date.parse(startedAt) / 1000) + 60}`,
  }),
]

/** The responses that should have the three headers, those of unknown paths and methods included (ERR-7). */
function dueOf(transcript: Transcript): readonly RecordedResponse[] {
  const limited = new Set(limitedResponses(transcript))
  return responses(transcript).filter(
    (recorded) => limited.has(recorded) || (isOutside(recorded.id) && !isGateway(recorded.response.status)),
  )
}

function lacksAll(recorded: RecordedResponse): boolean {
  return limitHeaders.every((name) => limitHeader(recorded, name) === undefined)
}

function renamed(recorded: RecordedResponse): RecordedResponse['response']['headers'] {
  return limitHeaders.flatMap((name) => {
    const other = limitHeader(recorded, name) === undefined ? otherName(recorded, name) : undefined
    const value = other && header(recorded.response, other)
    return value === undefined ? [] : [[name.toLowerCase(), value] as const]
  })
}

function otherName({ response }: RecordedResponse, name: LimitHeader): string | undefined {
  const last = name.split('-').at(-1)?.toLowerCase()
  return otherPrefixes
    .map((prefix) => `${prefix}${last}`)
    .find((other) => header(response, other) !== undefined)
}

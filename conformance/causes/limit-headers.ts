import { limitedResponses, limitHeader, limitHeaders } from '../transcript/rate-limits.ts'
import { header, type RecordedResponse } from '../transcript/responses.ts'
import { brokenIn, type FaultKind, shownBy } from './cause.ts'
import { repairable } from './repair.ts'
import { scopeOf, subject } from './scope.ts'

/** The names that other conventions have for the three headers. The first part is that of the name. */
const otherPrefixes = ['ratelimit-', 'x-rate-limit-', 'rate-limit-', 'x-ratelimit-requests-']

/** The three headers of section 8 are missing, or have other names. */
export const limitHeaderFaults: readonly FaultKind[] = [
  {
    id: 'renamed-limit-headers',
    find(transcript) {
      const limited = new Set(limitedResponses(transcript))
      return repairable(
        transcript,
        (recorded) => (limited.has(recorded) ? renamed(recorded) : undefined),
        ([first]) => ({
          title: `The rate-limit headers have other names, such as ${otherName(first, 'X-RateLimit-Limit') ?? otherName(first, 'X-RateLimit-Remaining')}`,
          advice: `send ${limitHeaders.join(', ')}, besides the others if clients use them`,
        }),
      )
    },
  },
  {
    id: 'no-limit-headers',
    least: 2,
    find(transcript) {
      const all = limitedResponses(transcript)
      const without = all.filter((recorded) =>
        limitHeaders.every((name) => limitHeader(recorded, name) === undefined),
      )
      return shownBy(without, () => ({
        title: `${subject(scopeOf(without, all), 'lacks', 'lack')} the three rate-limit headers`,
        advice: 'add them where every response passes, outside of the checks that may end a request early',
        explains: brokenIn('RATE-1', 'RATE-2', 'RATE-3', 'RATE-11'),
      }))
    },
  },
]

function renamed(
  recorded: RecordedResponse,
): { headers: RecordedResponse['response']['headers'] } | undefined {
  const missing = limitHeaders.filter((name) => limitHeader(recorded, name) === undefined)
  const added = missing.flatMap((name) => {
    const other = otherName(recorded, name)
    const value = other === undefined ? undefined : header(recorded.response, other)
    return value === undefined ? [] : [[name.toLowerCase(), value] as const]
  })
  return added.length === 0 ? undefined : { headers: [...recorded.response.headers, ...added] }
}

function otherName({ response }: RecordedResponse, name: (typeof limitHeaders)[number]): string | undefined {
  const last = name.split('-').at(-1)?.toLowerCase()
  return otherPrefixes
    .map((prefix) => `${prefix}${last}`)
    .find((other) => header(response, other) !== undefined)
}

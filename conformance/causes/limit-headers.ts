import { furthestReset } from '../rules/rate.ts'
import {
  type LimitHeader,
  lacksLimitHeaders,
  limitedResponses,
  limitHeaders,
  parseWholeNumber,
  readLimitHeader,
} from '../transcript/rate-limits.ts'
import { header, isGateway, isOutside, type RecordedResponse, responses } from '../transcript/responses.ts'
import type { Transcript } from '../transcript/transcript.ts'
import { readResponseTime } from '../transcript/waits.ts'
import { brokenIn, type FaultKind, fault, formatCount, repairable, withHeader } from './cause.ts'

/** The names that other conventions have for the three headers. The first part is the prefix of the name. */
const otherPrefixes = ['ratelimit-', 'x-rate-limit-', 'rate-limit-', 'x-ratelimit-requests-']

/** The three headers of section 8 are missing or have other names, or the reset has another form. */
export const limitHeaderFaults: readonly FaultKind[] = [
  repairable({
    id: 'renamed-limit-headers',
    repair: (recorded, run) => {
      const added = limitedResponses(run).includes(recorded) ? renamed(recorded) : []
      return added.length === 0 ? undefined : { headers: [...recorded.response.headers, ...added] }
    },
    title: (first) => {
      const names = limitHeaders.filter((name) => readLimitHeader(first, name) === undefined)
      const [name = limitHeaders[0]] = names.filter((one) => findOther(first, one) !== undefined)
      return `${names.length === limitHeaders.length ? 'The rate-limit headers have' : `${name} has`} another name or form, such as ${findOther(first, name)?.shown}`
    },
    advice: `send ${limitHeaders.join(', ')}; the others may stay for clients that use them`,
  }),
  fault({
    id: 'no-limit-headers',
    least: 2,
    shownBy: (transcript) => listDue(transcript).filter(lacksLimitHeaders),
    title: (_, without, run) =>
      `The three rate-limit headers are missing from ${formatCount(without, listDue(run))}`,
    advice: 'add them where every response passes, outside of the checks that may end a request early',
    explains: () => brokenIn('RATE-1', 'RATE-2', 'RATE-3', 'RATE-11'),
  }),
  repairable({
    id: 'reset-in-seconds-to-go',
    repair(recorded, run) {
      const isLimited = limitedResponses(run).includes(recorded)
      const value = isLimited ? parseWholeNumber(readLimitHeader(recorded, 'X-RateLimit-Reset')) : undefined
      if (value === undefined || value >= furthestReset) return undefined
      const time = Math.ceil(readResponseTime(run, recorded)) + value
      return { headers: withHeader(recorded.response, 'x-ratelimit-reset', String(time)) }
    },
    title: (first) =>
      `X-RateLimit-Reset: ${readLimitHeader(first, 'X-RateLimit-Reset')} looks like seconds to go; the interface requires a Unix time in seconds`,
    advice: (_first, _all, { startedAt }) =>
      `send the time at which the limit resets, such as ${Math.floor(Date.parse(startedAt) / 1000) + 60}`,
  }),
]

/** The responses that should have the three headers, including responses to unknown paths and methods (ERR-7). */
function listDue(transcript: Transcript): readonly RecordedResponse[] {
  const limited = new Set(limitedResponses(transcript))
  return responses(transcript).filter(
    (recorded) => limited.has(recorded) || (isOutside(recorded.id) && !isGateway(recorded.response.status)),
  )
}

function renamed(recorded: RecordedResponse): RecordedResponse['response']['headers'] {
  return limitHeaders.flatMap((name) => {
    const other = readLimitHeader(recorded, name) === undefined ? findOther(recorded, name) : undefined
    return other === undefined ? [] : [[name.toLowerCase(), other.value] as const]
  })
}

/** The parameters of the header `RateLimit` in the IETF drafts: up to 7, and from 8 on. The quota is in its policy. */
const draftParameters = { Limit: ['limit'], Remaining: ['remaining', 'r'], Reset: ['reset', 't'] } as const

/** Finds the value of a missing header under another name, or in a header of the IETF drafts. */
function findOther(
  { response }: RecordedResponse,
  name: LimitHeader,
): { readonly shown: string; readonly value: string } | undefined {
  // each name has three parts
  const last = name.split('-').at(-1) as keyof typeof draftParameters
  for (const prefix of otherPrefixes) {
    const value = header(response, prefix + last.toLowerCase())
    if (value !== undefined) return { shown: prefix + last.toLowerCase(), value }
  }
  const draft = header(response, 'ratelimit')
  const policy = header(response, 'ratelimit-policy')
  const value =
    readParameter(draft, draftParameters[last]) ??
    (last === 'Limit' && draft !== undefined ? readParameter(policy, ['q']) : undefined)
  return value === undefined ? undefined : { shown: `RateLimit: ${draft}`, value }
}

/** Returns the number of a parameter such as `limit=60` or `r=59`. */
function readParameter(text: string | undefined, names: readonly string[]): string | undefined {
  return new RegExp(`(?:^|[\\s,;])(?:${names.join('|')})=(\\d+)`, 'i').exec(text ?? '')?.[1]
}

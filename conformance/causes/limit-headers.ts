import { maxResetSeconds } from '../rules/rate.ts'
import {
  type LimitHeader,
  lacksLimitHeaders,
  limitHeaders,
  listLimitedResponses,
  readLimitHeader,
  readLimitNumbers,
} from '../transcript/rate-limits.ts'
import {
  isGatewayStatus,
  isOutsideInterface,
  listResponses,
  type RecordedResponse,
} from '../transcript/responses.ts'
import type { Transcript } from '../transcript/transcript.ts'
import { readUnixTime } from '../transcript/waits.ts'
import {
  createFaultKind,
  createRepairableKind,
  explainsBroken,
  type FaultKind,
  formatCount,
  replaceHeader,
} from './cause.ts'

/** Rate-limit headers that are missing, renamed or in another format (section 8). */
export const limitHeaderFaults: readonly FaultKind[] = [
  createFaultKind({
    // Names from the IETF drafts, and names that frameworks use.
    id: 'renamed-limit-headers',
    findAll: (transcript) =>
      listLimitedResponses(transcript).filter((one) => findRenamedHeaders(one).length > 0),
    title: (first) => {
      const [[name, other] = [], ...more] = findRenamedHeaders(first)
      const lacksEveryHeader = more.length + 1 === limitHeaders.length
      return `${lacksEveryHeader ? 'The rate-limit headers have' : `${name} has`} a different name or format, such as ${other}`
    },
    advice: `send ${limitHeaders.join(', ')}; keep the other headers for clients that use them`,
    explains: () => (rule) =>
      explainsBroken(...headerRules)(rule) || (rule.outcome === 'no-evidence' && rule.id.startsWith('RATE-')),
  }),
  createFaultKind({
    id: 'no-limit-headers',
    minRules: 2,
    findAll: (transcript) => listResponsesWithLimits(transcript).filter(lacksLimitHeaders),
    title: (_, without, run) =>
      `The three rate-limit headers are missing from ${formatCount(without, listResponsesWithLimits(run))}`,
    advice: 'add the headers to every response, including the responses of early checks',
    explains: () => explainsBroken(...headerRules),
  }),
  createRepairableKind({
    id: 'reset-in-seconds-to-go',
    repair(recorded, run) {
      const { reset } = readLimitNumbers(recorded)
      const isLimited = listLimitedResponses(run).includes(recorded)
      if (!isLimited || reset === undefined || reset >= maxResetSeconds) return undefined
      const resetTime = Math.ceil(readUnixTime(run, recorded)) + reset
      return { headers: replaceHeader(recorded.response, 'x-ratelimit-reset', String(resetTime)) }
    },
    title: (first) =>
      `X-RateLimit-Reset: ${readLimitHeader(first, 'X-RateLimit-Reset')} looks like remaining seconds; the interface requires a Unix time in seconds`,
    advice: (_first, _all, { startedAt }) =>
      `send the time when the limit resets, such as ${Math.floor(Date.parse(startedAt) / 1000) + 60}`,
  }),
]

/** Lists the responses that should have rate-limit headers, including those to unknown paths. */
function listResponsesWithLimits(transcript: Transcript): readonly RecordedResponse[] {
  const limitedResponses = new Set(listLimitedResponses(transcript))
  return listResponses(transcript).filter(
    (recorded) =>
      limitedResponses.has(recorded) ||
      (isOutsideInterface(recorded.id) && !isGatewayStatus(recorded.response.status)),
  )
}

/** Rules that missing headers break. */
const headerRules = ['RATE-1', 'RATE-2', 'RATE-3', 'RATE-11']

/** Finds a replacement for each missing header, such as `RateLimit-Reset`. */
function findRenamedHeaders(
  recorded: RecordedResponse,
): readonly (readonly [name: LimitHeader, other: string])[] {
  return limitHeaders.flatMap((name) => {
    if (readLimitHeader(recorded, name) !== undefined) return []
    const lastWord = name.split('-').at(-1)?.toLowerCase() ?? ''
    const [other, value] =
      recorded.response.headers.find(
        ([header]) => /rate-?limit/.test(header) && (header.endsWith(lastWord) || header === 'ratelimit'),
      ) ?? []
    return other === undefined ? [] : [[name, `${other}: ${value}`] as const]
  })
}

import { memoize } from './memoize.ts'
import type { Exchange, Transcript } from './transcript.ts'

/** Requests that were sent in parallel, each on its own connection. */
export interface Group {
  readonly name: string
  readonly exchanges: readonly Exchange[]
  /** Maximum number of requests that were in flight at the same time. */
  readonly inFlight: number
}

/** Finds a transcript's groups, ordered by their first requests. */
export const findGroups: (transcript: Pick<Transcript, 'exchanges'>) => readonly Group[] = memoize(
  ({ exchanges }) => {
    const groups = new Map<string, Exchange[]>()
    for (const exchange of exchanges) {
      const { group } = exchange
      if (group === undefined) continue
      const members = groups.get(group) ?? []
      groups.set(group, members)
      members.push(exchange)
    }
    return [...groups].map(([name, members]) => ({
      name,
      exchanges: members,
      inFlight: countInFlight(members),
    }))
  },
)

/** Finds a group by its name. */
export function findGroup(
  transcript: Pick<Transcript, 'exchanges'>,
  name: string | undefined,
): Group | undefined {
  return findGroups(transcript).find((group) => group.name === name)
}

/** Describes how many of a group's requests were in flight at the same time. */
export function formatInFlight({ inFlight, exchanges }: Group): string {
  const requests = `${exchanges.length} requests were in flight at the same time`
  return inFlight < 2 ? `no two of the ${requests}` : `${inFlight} of ${requests}`
}

/**
 * Returns an exchange's duration until the end of the response or until the error, in milliseconds. Returns 0 if the
 * duration is unknown.
 */
export function getDurationMs(exchange: Exchange): number {
  return exchange.response === undefined ? (exchange.ms ?? 0) : exchange.response.ms
}

/**
 * Minimum duration that is counted, in milliseconds. Transcripts round times to 0.1 ms, so a short exchange may have a
 * duration of 0.
 */
const minDurationMs = 0.1

function countInFlight(exchanges: readonly Exchange[]): number {
  const changes = exchanges.flatMap((exchange) => {
    const durationMs = Math.max(getDurationMs(exchange), minDurationMs)
    return [
      { at: exchange.at, by: 1 },
      { at: exchange.at + durationMs, by: -1 },
    ]
  })
  let [now, most] = [0, 0]
  // A request that starts at the moment when another one ends does not overlap with it.
  for (const { by } of changes.toSorted((a, b) => a.at - b.at || a.by - b.by)) {
    now += by
    most = Math.max(most, now)
  }
  return most
}

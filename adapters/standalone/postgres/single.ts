import { setTimeout as sleep } from 'node:timers/promises'
import type { PostgresClient } from '../../postgres.ts'
import { explain, StartError } from '../errors.ts'
import { endSilent, openConnection } from './connection.ts'
import type { Host, Pg } from './driver.ts'
import { firstUsable } from './writable.ts'

/** A client that is one connection, on which no statement has a time limit. */
export interface SingleClient extends PostgresClient {
  /** Asks the server to cancel the statement that runs. */
  cancel(): Promise<boolean>
  /** Ends it. Resolves when the server has closed it, or after two seconds; never rejects. */
  close(): Promise<void>
}

/** How long a server may take to close a connection, in milliseconds. */
const closeMs = 2_000

/**
 * Opens one connection to the host that accepts changes, or to the only one. Rejects with `StartError`.
 *
 * @param source - The flag or variable that has the address.
 */
export async function openSingle(pg: Pg, hosts: readonly Host[], source: string): Promise<SingleClient> {
  const candidates = hosts.map((host) => ({ host, connection: openConnection(pg, host.url) }))
  const breakAll = () => {
    for (const { connection } of candidates) connection.break()
  }
  try {
    const { connection } = await firstUsable(candidates)
    return {
      query: connection.query,
      cancel: connection.cancel,
      async close() {
        const closed = endSilent(connection, () => {})
        await Promise.race([closed, sleep(closeMs, undefined, { ref: false })])
        breakAll()
      },
    }
  } catch (cause) {
    breakAll()
    throw new StartError(`${source}: ${explain(cause, false)}`, { cause })
  }
}

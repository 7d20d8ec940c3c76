import type { Exchange } from '../transcript/transcript.ts'
import type { UsedConnection } from './transport.ts'

/** Which exchange was the last one on each connection. */
export interface ConnectionLog {
  /**
   * Returns the exchange before a request on its connection: `undefined` on a new connection, and the last exchange of the
   * run where the connection is not known.
   */
  before(connection: UsedConnection | undefined, exchanges: readonly Exchange[]): Exchange | undefined
  /** Notes that an exchange has used a connection. */
  note(connection: UsedConnection | undefined, id: string): void
}

/** Returns an empty log. */
export function createConnectionLog(): ConnectionLog {
  const last = new Map<number, string>()
  return {
    before(connection, exchanges) {
      if (connection === undefined) return exchanges.at(-1)
      if (!connection.isReused) return undefined
      const id = last.get(connection.number)
      return exchanges.find((exchange) => exchange.id === id)
    },
    note(connection, id) {
      if (connection !== undefined) last.set(connection.number, id)
    },
  }
}

import { setTimeout as sleep } from 'node:timers/promises'
import { rowsOf } from '../../postgres/client.ts'
import { explain } from '../errors.ts'
import type { Host } from './address.ts'
import type { Connection } from './connection.ts'

/** A connection, and the host that it is to. */
export interface HostConnection {
  readonly host: Host
  readonly connection: Connection
}

/** The code of read_only_sql_transaction (PostgreSQL, appendix A), with which a replica responds to a change. */
export const readOnlyCode = '25006'

/** How long a host may take to show that it accepts changes, in milliseconds, where there are others. */
const responseMs = 2_500

/** Rejects if a connection cannot be opened, or its host does not accept changes, as a replica does not. */
export async function requireWritable({ host, connection }: HostConnection): Promise<void> {
  await connection.opened
  const setting = `SELECT current_setting('transaction_read_only') AS "readOnly"`
  const [row] = rowsOf<{ readOnly: string }>(await connection.query(setting))
  if (row?.readOnly !== 'off') throw readOnly(`${host.name} is read-only`)
}

/**
 * Resolves with the first of these connections whose host accepts changes, and ends the others. Rejects where none does,
 * with the reason of each.
 */
export async function firstWritable<T extends HostConnection>(candidates: readonly T[]): Promise<T> {
  let winner: T | undefined
  const attempts = candidates.map(async (candidate) => {
    try {
      await Promise.race([requireWritable(candidate), silence(candidate.host)])
      winner ??= candidate
      return candidate
    } finally {
      if (winner !== candidate) candidate.connection.end()
    }
  })
  try {
    return await Promise.any(attempts)
  } catch (error) {
    const { errors } = error as AggregateError // Promise.any rejects with nothing else
    const reasons = candidates.map(({ host }, index) => `${host.name}: ${explain(errors[index], false)}`)
    const all = reasons.join('; ') || 'each has as many connections as it may'
    throw readOnly(`none of the hosts accepts changes: ${all}`)
  }
}

async function silence({ name }: Host): Promise<never> {
  await sleep(responseMs, undefined, { ref: false })
  throw new Error(`timeout exceeded: no response of ${name} within ${responseMs} ms`)
}

/** Whether an error has this code of PostgreSQL. */
export function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}

function readOnly(message: string): Error {
  return Object.assign(new Error(message), { code: readOnlyCode })
}

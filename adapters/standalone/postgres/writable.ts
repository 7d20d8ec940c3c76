import { createDeadline } from '../../breaker/deadline.ts'
import { rowsOf } from '../../postgres/client.ts'
import { explain } from '../errors.ts'
import type { Connection } from './connection.ts'
import type { Host } from './driver.ts'

/** A connection, and the host that it is to. */
export interface HostConnection {
  readonly host: Host
  readonly connection: Connection
}

/** The code of read_only_sql_transaction (PostgreSQL, appendix A), with which a replica responds to a change. */
const readOnlyCode = '25006'

/** How long a host may take to show that it can be used: ten steps, of this many milliseconds. */
const responseTime = { stepMs: 250, turns: 10 }

/** Rejects if a connection cannot be opened, or if its host is one of several and does not accept changes, as a replica does not. */
export async function requireUsable({ host, connection }: HostConnection): Promise<void> {
  await connection.opened
  if (host.isOnly) return
  const setting = `SELECT current_setting('transaction_read_only') AS "readOnly"`
  const [row] = rowsOf<{ readOnly: string }>(await connection.query(setting))
  if (row?.readOnly !== 'off') throw readOnly(`${host.name} is read-only`)
}

/**
 * Resolves with the first of these connections that can be used, and ends the others. Rejects where none can, with the reason
 * of each host.
 */
export async function firstUsable<T extends HostConnection>(candidates: readonly T[]): Promise<T> {
  let winner: T | undefined
  const attempts = candidates.map(async (candidate) => {
    const overdue = () =>
      new Error(
        `timeout exceeded: no response of ${candidate.host.name} within ${responseTime.stepMs * responseTime.turns} ms`,
      )
    try {
      await createDeadline({ ...responseTime, overdue }).limit(requireUsable(candidate))
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
    if (candidates[0]?.host.isOnly) throw errors[0]
    const reasons = candidates.map(({ host }, index) => `${host.name}: ${explain(errors[index], false)}`)
    const all = reasons.join('; ') || 'each has as many connections as it may'
    throw readOnly(`none of the hosts accepts changes: ${all}`)
  }
}

/** Whether an error is that of a change on a server which accepts none. */
export function isReadOnly(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === readOnlyCode
}

function readOnly(message: string): Error {
  return Object.assign(new Error(message), { code: readOnlyCode })
}

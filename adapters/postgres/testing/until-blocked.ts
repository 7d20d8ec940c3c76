import assert from 'node:assert/strict'
import type pg from 'pg'

/** How often the server is asked, about a millisecond each time. */
const attempts = 10_000

/** Resolves once a server process waits for a lock of a kind, a `wait_event` of PostgreSQL. */
export async function untilBlocked(pool: pg.Pool, pid: number, kind: string): Promise<void> {
  const blocked = 'SELECT 1 FROM pg_stat_activity WHERE pid = $1 AND wait_event = $2'
  for (let attempt = 0; attempt < attempts; attempt++)
    if ((await pool.query(blocked, [pid, kind])).rows.length > 0) return
  assert.fail(`the process does not wait for a lock of the kind ${kind}`)
}

/** Returns the server process of a pool with one connection. */
export async function pidOf(pool: pg.Pool): Promise<number> {
  return (await pool.query('SELECT pg_backend_pid() AS pid')).rows[0].pid
}

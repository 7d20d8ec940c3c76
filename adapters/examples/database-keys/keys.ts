import { isPlan, type KeyStore, plans, StoreUnavailable, sha256 } from 'pet-adoption-service'
import type { Pool } from 'pg'

/** What to create once. A key itself is never kept. */
export const schema = `
  CREATE TABLE IF NOT EXISTS api_keys (
    id text PRIMARY KEY,
    sha256 text NOT NULL UNIQUE,
    plan text NOT NULL,
    per_minute int,
    per_day int,
    expires_at timestamptz,
    CHECK (plan IN ('free', 'pro', 'business') OR (plan = 'enterprise' AND per_minute > 0 AND per_day > 0))
  )`

const query = `
  SELECT id, plan, per_minute AS minute, per_day AS day FROM api_keys
  WHERE sha256 = $1 AND (expires_at IS NULL OR expires_at > now())`

interface Row {
  readonly id: string
  readonly plan: string
  readonly minute: number
  readonly day: number
}

/** Looks every key up in the database, so that one that is issued or withdrawn counts from the next request on. */
export function createDatabaseKeys(pool: Pool): KeyStore {
  return {
    async find(token) {
      const { rows } = await pool.query<Row>(query, [sha256(token)]).catch((cause: unknown) => {
        throw new StoreUnavailable('the keys cannot be looked up', { cause }) // a 503, not a 500
      })
      const [row] = rows
      if (!row || !isPlan(row.plan)) return undefined
      const { id, plan, minute, day } = row
      return { id, plan, limits: plan === 'enterprise' ? { minute, day } : plans[plan] }
    },
  }
}

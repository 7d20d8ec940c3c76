import { isPlan, type KeyStore, StoreUnavailableError, sha256 } from 'pet-adoption-service'
import type { Pool } from 'pg'

const query = `
  SELECT id, plan, per_minute AS minute, per_day AS day FROM api_keys
  WHERE sha256 = $1 AND (expires_at IS NULL OR expires_at > now())`

type Row = Readonly<{ id: string; plan: string; minute: number; day: number }>

/** Creates a key store that queries the database each time, so that a new or revoked key takes effect immediately. */
export function createDatabaseKeys(pool: Pool): KeyStore {
  return {
    async find(token) {
      const { rows } = await pool.query<Row>(query, [sha256(token)]).catch((cause: unknown) => {
        throw new StoreUnavailableError('the key database does not respond', { cause }) // a 503 instead of a 500
      })
      const [row] = rows
      if (!row || !isPlan(row.plan)) return undefined
      const { id, plan, minute, day } = row
      return plan === 'enterprise' ? { id, plan, limits: { minute, day } } : { id, plan }
    },
  }
}

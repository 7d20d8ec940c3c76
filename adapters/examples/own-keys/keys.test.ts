import assert from 'node:assert/strict'
import { test } from 'node:test'
import { StoreUnavailable } from 'pet-adoption-service'
import { keyStoreContract } from 'pet-adoption-service/contracts'
import pg from 'pg'
import { freePort } from '../../contracts/testing/free-port.ts'
import { partValue, testWith } from '../../contracts/testing/part.ts'
import { poolFor } from '../../contracts/testing/postgres.ts'
import { temporaryDatabases } from '../../standalone/testing/storages.ts'
import { createDatabaseKeys } from './keys.ts'

const databases = await temporaryDatabases()
const unreachable = poolFor(`postgres://postgres@127.0.0.1:${await freePort()}/test`)

/** Creates a key store in a database of its own, whose table has the SHA-256 of each key, never the key. */
async function createStore() {
  const pool = new pg.Pool({ connectionString: await partValue(databases)() })
  await pool.query(`CREATE TABLE api_keys (id text, sha256 text PRIMARY KEY, plan text,
    per_minute int, per_day int, expires_at timestamptz)`)
  return Object.assign(createDatabaseKeys(pool), { pool })
}

keyStoreContract({
  test: testWith(databases),
  create: createStore,
  async addKey({ pool }, { id, sha256, plan, limits, expiresAt }) {
    const values = [id, sha256, plan, limits?.minute, limits?.day, expiresAt]
    await pool.query('INSERT INTO api_keys VALUES ($1, $2, $3, $4, $5, $6)', values)
  },
  async revokeKey({ pool }, sha256) {
    await pool.query('DELETE FROM api_keys WHERE sha256 = $1', [sha256])
  },
  close: ({ pool }) => pool.end(),
  clock: false, // the clock is that of PostgreSQL
})

test('reports an unavailable key while the database does not respond', async () => {
  await assert.rejects(async () => createDatabaseKeys(unreachable).find('a-key'), StoreUnavailable)
})

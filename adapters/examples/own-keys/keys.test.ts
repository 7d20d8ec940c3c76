import assert from 'node:assert/strict'
import { test } from 'node:test'
import { StoreUnavailableError } from 'pet-adoption-service'
import { keyStoreContract } from 'pet-adoption-service/contracts'
import pg from 'pg'
import { findFreePort } from '../../contracts/testing/free-port.ts'
import { createPool } from '../../contracts/testing/postgres.ts'
import { getResource, testWith } from '../../contracts/testing/resource.ts'
import { createTemporaryDatabases } from '../../standalone/testing/storages.ts'
import { createDatabaseKeys } from './keys.ts'

const databases = await createTemporaryDatabases()
const unreachable = createPool(`postgres://postgres@127.0.0.1:${await findFreePort()}/test`)

/** Creates a key store with an empty table in a temporary database. */
async function createStore() {
  const pool = new pg.Pool({ connectionString: await getResource(databases)() })
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
  clock: false, // PostgreSQL has its own clock
})

test('the key store example reports an unreachable database', async () => {
  await assert.rejects(async () => createDatabaseKeys(unreachable).find('a-key'), StoreUnavailableError)
})

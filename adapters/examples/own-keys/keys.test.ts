import { keyStoreContract } from 'pet-adoption-service/contracts'
import pg from 'pg'
import { testWith } from '../../contracts/testing/part.ts'
import { temporaryDatabases } from '../../standalone/testing/storages.ts'
import { createDatabaseKeys } from './keys.ts'
import { schema } from './schema.ts'

const databases = await temporaryDatabases()

/** Creates a key store in a schema of its own. */
async function createStore() {
  const newDatabase = 'value' in databases ? databases.value : undefined
  const pool = new pg.Pool({ connectionString: await newDatabase?.() })
  await pool.query(schema)
  return Object.assign(createDatabaseKeys(pool), { pool })
}

keyStoreContract({
  test: testWith(databases),
  createStore,
  async addKey({ pool }, { id, sha256, plan, limits, expiresAt }) {
    const values = [id, sha256, plan, limits?.minute, limits?.day, expiresAt]
    await pool.query('INSERT INTO api_keys VALUES ($1, $2, $3, $4, $5, $6)', values)
  },
  async revokeKey({ pool }, sha256) {
    await pool.query('DELETE FROM api_keys WHERE sha256 = $1', [sha256])
  },
  closeStore: ({ pool }) => pool.end(),
  capabilities: { clock: false }, // the clock is that of PostgreSQL
})

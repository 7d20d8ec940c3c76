import assert from 'node:assert/strict'
import { sha256 } from 'pet-adoption-service'
import { createPostgresKeyStore } from 'pet-adoption-service/postgres'
import pg from 'pg'
import { testWith } from '../contracts/testing/part.ts'
import { temporaryDatabases } from '../standalone/testing/storages.ts'
import { assertFollowsEveryRule, key } from './testing/rules.ts'
import { nodeWithTypeScript, serving } from './testing/serving.ts'

testWith(await temporaryDatabases())(
  'with the keys of PostgreSQL, the service follows every rule, and accepts a key that is issued while it runs',
  async (t, newDatabase) => {
    const DATABASE_URL = await newDatabase()
    const env = { DATABASE_URL }
    const { origin } = await serving(t, [...nodeWithTypeScript, 'adapters/examples/database-keys.ts'], {
      env,
    })
    const request = () => fetch(`${origin}/v1/pets`, { headers: { Authorization: `Bearer ${key}` } })
    assert.equal((await request()).status, 401)
    const client = new pg.Client(DATABASE_URL)
    await client.connect()
    t.after(() => client.end())
    const keys = createPostgresKeyStore({ client })
    await keys.update({ id: 'shelter' }, () => [{ id: 'shelter', sha256: sha256(key), plan: 'pro' }])
    await assertFollowsEveryRule(origin)
  },
)

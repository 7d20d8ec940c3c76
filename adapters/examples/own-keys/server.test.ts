import assert from 'node:assert/strict'
import { StoreUnavailable, sha256 } from 'pet-adoption-service'
import { freePort } from '../../contracts/testing/free-port.ts'
import { testWith } from '../../contracts/testing/part.ts'
import { connectPostgres, poolFor, postgresUrl } from '../../contracts/testing/postgres.ts'
import { assertFollowsEveryRule, key } from '../testing/rules.ts'
import { nodeWithTypeScript, serving } from '../testing/serving.ts'
import { createDatabaseKeys } from './keys.ts'

const test = testWith(await connectPostgres())
const schema = `pets_test_${process.pid}_keys`
const url = new URL(postgresUrl)
url.searchParams.set('options', `-c search_path=${schema}`)
const pool = poolFor(url.href)
const unreachable = poolFor(`postgres://postgres@127.0.0.1:${await freePort()}/test`)

test('with keys from a table of its own, the service follows every rule, and each key has the plan and end of its row', async (t) => {
  await pool.query(`CREATE SCHEMA ${schema}`)
  t.after(() => pool.query(`DROP SCHEMA ${schema} CASCADE`))
  const start = [...nodeWithTypeScript, 'adapters/examples/own-keys/server.ts'] as const
  const { origin } = await serving(t, start, { env: { DATABASE_URL: url.href } })
  const insert = (...values: readonly unknown[]) =>
    pool.query('INSERT INTO api_keys VALUES ($1, $2, $3, $4, $5, $6)', [...values])
  const limitOf = async (token: string) => {
    const { status, headers } = await fetch(`${origin}/v1/pets`, {
      headers: { Authorization: `Bearer ${token}` },
    })
    return status === 200 ? headers.get('X-RateLimit-Limit') : status
  }

  await insert('shelter', sha256(key), 'pro', null, null, null)
  await insert('past', sha256('past-key'), 'pro', null, null, new Date(Date.now() - 1000))
  await insert('large', sha256('large-key'), 'enterprise', 5000, 1_000_000, null)
  await assertFollowsEveryRule(origin)
  assert.deepEqual([await limitOf('past-key'), await limitOf('large-key')], [401, '5000'])
  await pool.query("DELETE FROM api_keys WHERE id = 'large'")
  assert.equal(await limitOf('large-key'), 401)
})

test('while the database of the keys does not respond, a key is unavailable, not unknown', async () => {
  await assert.rejects(async () => createDatabaseKeys(unreachable).find(key), StoreUnavailable)
})

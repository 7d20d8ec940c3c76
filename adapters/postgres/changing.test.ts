import assert from 'node:assert/strict'
import { describe } from 'node:test'
import { type CreationKey, StoreUnavailableError } from '../../core/index.ts'
import { createPool, postgresUrl } from '../contracts/testing/postgres.ts'
import { createPostgresKeyStore, createPostgresStore } from './index.ts'
import { connect, getPool, openStore, readPid, rex, test, waitUntilBlocked } from './testing/tables.ts'

function createKey(token: number, now = 1): CreationKey {
  return { token: String(token).padStart(64, '0'), fingerprint: 'f'.repeat(64), now, expiresAt: now + 60_000 }
}

describe('createOnce in PostgreSQL', () => {
  for (const { end, outcome, id } of [
    { end: 'COMMIT', outcome: 'replayed', id: 77n },
    { end: 'ROLLBACK', outcome: 'created', id: 1n },
  ] as const)
    test(`waits for a concurrent creation: ${outcome} after ${end}`, async () => {
      const { table } = await openStore()
      const key = createKey(1)
      const client = createPool(postgresUrl, { max: 1 })
      const pid = await readPid(client)
      const other = await getPool().connect()
      await other.query('BEGIN')
      await other.query(`INSERT INTO ${table}_creations VALUES ($1, $2, 77, 9007199254740991)`, [
        key.token,
        key.fingerprint,
      ])
      let isDone = false
      const creation = createPostgresStore({ client, table })
        .createOnce(rex, key)
        .finally(() => (isDone = true))
      await waitUntilBlocked(getPool(), pid, 'transactionid')
      assert.equal(isDone, false)
      await other.query(end)
      other.release()
      const result = await creation
      assert.equal(result.outcome, outcome)
      assert.ok('id' in result && (end === 'ROLLBACK' ? result.id > 0n : result.id === id))
    })

  test('stores nothing if its connection is lost', async () => {
    const store = await openStore()
    const { table } = store
    const client = createPool(postgresUrl, { max: 1 })
    const pid = await readPid(client)
    const other = await getPool().connect()
    // The trigger blocks the creation before its commit.
    await other.query(
      `CREATE FUNCTION pg_temp.wait() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_advisory_xact_lock(${pid}); RETURN NEW; END'`,
    )
    await other.query(
      `CREATE TRIGGER wait BEFORE INSERT ON ${table} FOR EACH ROW EXECUTE FUNCTION pg_temp.wait()`,
    )
    await other.query(`SELECT pg_advisory_lock(${pid})`)
    const creation = assert.rejects(
      createPostgresStore({ client, table }).createOnce(rex, createKey(1)),
      StoreUnavailableError,
    )
    await waitUntilBlocked(getPool(), pid, 'advisory')
    await other.query(`SELECT pg_terminate_backend(${pid})`)
    await creation
    await other.query(`SELECT pg_advisory_unlock(${pid}); DROP FUNCTION pg_temp.wait CASCADE`)
    other.release()
    assert.equal(await store.findCreated(createKey(1)), undefined)
    assert.deepEqual(await store.list({ limit: 1 }), [])
    assert.equal((await store.createOnce(rex, createKey(1))).outcome, 'created')
  })

  test('replays a creation for a server whose clock is a day ahead', async () => {
    const store = await openStore()
    const [now, dayMs] = [Date.now(), 86_400_000]
    const { outcome, ...created } = await store.createOnce(rex, createKey(1, now))
    assert.equal(outcome, 'created')
    const ahead = { ...createKey(1, now + dayMs), expiresAt: now + 2 * dayMs }
    for (const key of [{ ...ahead, token: createKey(2).token }, ahead]) await store.createOnce(rex, key)
    assert.deepEqual(await store.findCreated(createKey(1, now)), { outcome: 'replayed', ...created })
    assert.deepEqual(await store.findCreated(ahead), { outcome: 'replayed', ...created })
  })

  test('creates one animal per expired idempotency key', async () => {
    const store = await openStore()
    const { table } = store
    const keys = Array.from({ length: 100 }, (_, i) => createKey(i))
    for (let round = 0; round < 3; round++) {
      await getPool().query(`UPDATE ${table}_creations SET expires_at = ${round}`)
      const results = await Promise.all(
        keys.flatMap((key) => [store.createOnce(rex, key), store.createOnce(rex, key)]),
      )
      assert.equal(results.filter(({ outcome }) => outcome === 'created').length, 100)
      assert.equal(results.filter(({ outcome }) => outcome === 'replayed').length, 100)
    }
    const stored = await getPool().query(`SELECT token FROM ${table}_creations`)
    assert.equal(stored.rows.length, 100)
  })

  test('expires idempotency keys by the database clock', async () => {
    const store = await openStore()
    const { table } = store
    await store.createOnce(rex, { ...createKey(1), expiresAt: createKey(1).now + 86_400_000 })
    const left = `SELECT expires_at - extract(epoch FROM now()) * 1000 AS ms FROM ${table}_creations`
    const { ms } = (await getPool().query(left)).rows[0]
    assert.ok(Number(ms) > 86_000_000 && Number(ms) <= 86_400_000, `${ms} ms`)
    const endNow = 'floor(extract(epoch FROM now()) * 1000)'
    await getPool().query(`UPDATE ${table}_creations SET expires_at = ${endNow} + 60000`)
    assert.equal((await store.findCreated(createKey(1)))?.outcome, 'replayed')
    await getPool().query(`UPDATE ${table}_creations SET expires_at = ${endNow}`)
    assert.equal(await store.findCreated(createKey(1)), undefined)
    assert.equal((await store.createOnce(rex, createKey(1))).outcome, 'created')
  })
})

describe('the PostgreSQL key list', () => {
  test('finds keys by hash prefix in any collation', async () => {
    const { table } = await openStore()
    await getPool().query(`ALTER TABLE ${table}_api_keys ALTER sha256 TYPE text COLLATE "da-x-icu"`)
    const client = await connect()
    const keys = createPostgresKeyStore({ client, table })
    const sha256 = 'baa'.padEnd(64, '1')
    await keys.update({ sha256: '' }, () => [{ id: 'a', sha256, plan: 'free' }])
    for (const [start, length] of Object.entries({ '': 1, b: 1, ba: 1, c: 0 }))
      assert.equal((await keys.list({ sha256: start })).length, length, start)
  })
})

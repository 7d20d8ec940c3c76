import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setImmediate as nextTurn, setTimeout } from 'node:timers/promises'
import { type NewPet, StoreUnavailable } from '../../core/index.ts'
import { createTestKey } from '../contracts/pet-store/model.ts'
import { createSqliteKeyStore, createSqliteStore } from './index.ts'
import { scriptDatabase } from './testing/scripted-database.ts'

const rex: NewPet = { name: 'Rex', categoryId: 1n }
const row = { id: '9007199254740991', name: 'Rex', categoryId: '-9223372036854775808', status: 'sold' }
const pet = { id: 2n ** 53n - 1n, name: 'Rex', categoryId: -(2n ** 63n), status: 'sold' }

const firstWord = (sql: string) => sql.trim().split(/\s/, 1)[0]

describe('the connection of SQLite', () => {
  it('commits the changes of one turn together, in their order', async () => {
    const database = scriptDatabase()
    const store = createSqliteStore({ database })
    database.ran.length = 0
    await Promise.all([
      store.create(rex),
      store.update(1n, { name: 'Max' }),
      store.createOnce(rex, createTestKey('a')),
      store.remove(1n),
    ])
    await nextTurn()
    await store.create(rex)
    assert.deepEqual(database.ran.map(firstWord), [
      'BEGIN',
      'INSERT',
      'UPDATE',
      ...['SELECT', 'DELETE', 'INSERT', 'INSERT'],
      'DELETE',
      'COMMIT',
      ...['BEGIN', 'INSERT', 'COMMIT'],
    ])
  })

  it('rolls back a commit with a failed change', async () => {
    const database = scriptDatabase()
    const store = createSqliteStore({ database })
    const failures: Record<string, string> = {
      UPDATE: 'database or disk is full',
      ROLLBACK: 'cannot rollback - no transaction is active',
    }
    database.failure = (sql) => failures[sql.split(' ', 1)[0] ?? '']
    for (const result of await Promise.allSettled([store.create(rex), store.update(1n, { name: 'Max' })]))
      assert.match(String(result.status === 'rejected' && result.reason), /free some disk space/)
    assert.equal(database.ran.at(-1), 'ROLLBACK')
    failures.COMMIT = 'disk I/O error'
    await assert.rejects(store.importPets([rex]), /check the disk/)
  })

  it('passes int64 through the driver as text, in both directions', async () => {
    const database = scriptDatabase()
    const bound: unknown[] = []
    const store = createSqliteStore({ database })
    assert.equal(store.get(1n), undefined) // this driver returns null for no row
    database.rows = (_, values) => {
      bound.push(...values)
      return [row]
    }
    assert.deepEqual(store.get(2n ** 63n - 1n), pet)
    assert.deepEqual(store.list({ limit: 20, after: -(2n ** 63n), status: 'sold' }), [pet])
    assert.deepEqual(await store.create({ ...rex, status: 'sold' }), { ...pet, categoryId: 1n })
    assert.deepEqual(
      bound.filter((value) => value !== null && typeof value !== 'string'),
      [20],
    )
  })

  const failuresAtWork = {
    'database is locked': StoreUnavailable,
    'database table is locked': StoreUnavailable,
    'database or disk is full': StoreUnavailable,
    'attempt to write a readonly database': StoreUnavailable,
    'unable to open database file': StoreUnavailable,
    'disk I/O error': StoreUnavailable,
    'database disk image is malformed': Error,
    'no such table: pets': Error,
  }

  for (const [message, kind] of Object.entries(failuresAtWork))
    it(`rejects with ${kind.name} in every method: "${message}"`, async () => {
      const database = scriptDatabase()
      const store = createSqliteStore({ database, lockTimeoutMs: 0 })
      const keys = createSqliteKeyStore({ database })
      database.failure = () => message
      for (const call of [
        () => store.list({ limit: 1 }),
        () => store.get(1n),
        () => store.create(rex),
        () => store.importPets([rex]),
        () => keys.find('a-key'),
        () => keys.list(),
        () => keys.count(0),
      ])
        await assert.rejects(
          async () => call(),
          (error: Error) => error.constructor === kind && String(error.cause ?? error).includes(message),
        )
    })

  it('waits for a lock until each deadline, then commits creations together', async () => {
    const database = scriptDatabase()
    const store = createSqliteStore({ database, lockTimeoutMs: 200 })
    let message = 'database is locked'
    database.failure = (sql) => {
      if (!sql.startsWith('BEGIN')) return undefined
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 40) // an attempt takes so long
      return message
    }
    database.ran.length = 0
    const rejectedAfter = async () => {
      const began = performance.now()
      await assert.rejects(store.create(rex), StoreUnavailable)
      return performance.now() - began
    }
    const first = rejectedAfter()
    await setTimeout(100)
    for (const waited of await Promise.all([first, rejectedAfter()])) assert.ok(waited >= 200, `${waited} ms`)
    assert.ok(database.ran.length <= 8, `${database.ran.length} attempts`)
    const waiting = [store.create(rex)]
    await setTimeout(60)
    waiting.push(store.create(rex))
    message = ''
    database.ran.length = 0
    await Promise.all(waiting)
    assert.deepEqual(database.ran.map(firstWord), ['BEGIN', 'INSERT', 'INSERT', 'COMMIT'])
    message = 'disk I/O error'
    database.ran.length = 0
    await assert.rejects(store.create(rex), StoreUnavailable)
    assert.deepEqual(database.ran, ['BEGIN IMMEDIATE'])
  })

  it('names an invalid option', () => {
    const database = scriptDatabase()
    // @ts-expect-error: a caller in JavaScript may pass it
    assert.throws(() => createSqliteStore({ database: 'animals.sqlite' }), /options\.database/)
    // @ts-expect-error: likewise
    assert.throws(() => createSqliteStore({}), /options\.database/)
    assert.throws(() => createSqliteStore({ database, lockTimeoutMs: -1 }), /options\.lockTimeoutMs/)
    // @ts-expect-error: likewise
    assert.throws(() => createSqliteStore({ database, tabel: 'x' }), /unknown option "options\.tabel"/)
    // @ts-expect-error: likewise
    assert.throws(() => createSqliteKeyStore({ database, cache: 5 }), /unknown option "options\.cache"/)
  })

  it('waits for a lock at the start, and for no other failure', () => {
    const database = scriptDatabase()
    let locked = 2
    database.failure = (sql) => (sql.includes('WAL') && locked-- > 0 ? 'database is locked' : undefined)
    const identity = { application: 0x50657473, version: 2, tables: 1, data_version: 1, total: 0 }
    database.rows = (sql) => [sql.includes('database_list') ? { file: '/data/animals.sqlite' } : identity]
    const start = (lockTimeoutMs = 20) => createSqliteStore({ database, lockTimeoutMs })
    start(5000)
    assert.equal(database.ran.filter((sql) => sql.includes('WAL')).length, 3)
    locked = Infinity
    assert.throws(() => start(), { name: 'Error', message: /^\/data\/animals.sqlite is locked by another/ })
    database.failure = (sql) => (sql.includes('WAL') ? 'out of memory' : undefined)
    database.ran.length = 0
    assert.throws(() => start(5000), { message: 'out of memory' })
    assert.equal(database.ran.filter((sql) => sql.includes('WAL')).length, 1)
  })
})

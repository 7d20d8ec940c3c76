import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setImmediate as nextTurn, setTimeout } from 'node:timers/promises'
import { type NewPet, StoreUnavailableError } from '../../core/index.ts'
import { createTestKey } from '../contracts/pet-store/model.ts'
import { createSqliteKeyStore, createSqliteStore } from './index.ts'
import { scriptDatabase } from './testing/scripted-database.ts'

const rex: NewPet = { name: 'Rex', categoryId: 1n }
const row = { id: '9007199254740991', name: 'Rex', categoryId: '-9223372036854775808', status: 'sold' }
const pet = { id: 2n ** 53n - 1n, name: 'Rex', categoryId: -(2n ** 63n), status: 'sold' }

const getFirstWord = (sql: string) => sql.trim().split(/\s/, 1)[0]

describe('the SQLite store', () => {
  it('commits the writes in a turn of the event loop together', async () => {
    const database = scriptDatabase()
    const store = createSqliteStore({ database })
    database.executed.length = 0
    await Promise.all([
      store.create(rex),
      store.update(1n, { name: 'Max' }),
      store.createOnce(rex, createTestKey('a')),
      store.remove(1n),
    ])
    await nextTurn()
    await store.create(rex)
    assert.deepEqual(database.executed.map(getFirstWord), [
      'BEGIN',
      'INSERT',
      'UPDATE',
      ...['SELECT', 'DELETE', 'INSERT', 'INSERT'],
      'DELETE',
      'COMMIT',
      ...['BEGIN', 'INSERT', 'COMMIT'],
    ])
  })

  it('rejects all writes in a failed transaction', async () => {
    const database = scriptDatabase()
    const store = createSqliteStore({ database })
    const failures: Record<string, string> = {
      UPDATE: 'database or disk is full',
      ROLLBACK: 'cannot rollback - no transaction is active',
    }
    database.failure = (sql) => failures[sql.split(' ', 1)[0] ?? '']
    for (const result of await Promise.allSettled([store.create(rex), store.update(1n, { name: 'Max' })]))
      assert.match(String(result.status === 'rejected' && result.reason), /free some disk space/)
    assert.equal(database.executed.at(-1), 'ROLLBACK')
    failures.COMMIT = 'disk I/O error'
    await assert.rejects(store.importPets([rex]), /check the disk/)
  })

  it('preserves 64-bit integers', async () => {
    const database = scriptDatabase()
    const bound: unknown[] = []
    const store = createSqliteStore({ database })
    assert.equal(store.get(1n), undefined) // this driver returns `null` for no row
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

  const failures = {
    'database is locked': StoreUnavailableError,
    'database table is locked': StoreUnavailableError,
    'database or disk is full': StoreUnavailableError,
    'attempt to write a readonly database': StoreUnavailableError,
    'unable to open database file': StoreUnavailableError,
    'disk I/O error': StoreUnavailableError,
    'database disk image is malformed': Error,
    'no such table: pets': Error,
  }

  for (const [message, kind] of Object.entries(failures))
    it(`throws ${kind.name} after "${message}"`, async () => {
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

  it('waits at most lockTimeoutMs for a locked file', async () => {
    const database = scriptDatabase()
    const store = createSqliteStore({ database, lockTimeoutMs: 200 })
    let message = 'database is locked'
    database.failure = (sql) => {
      if (!sql.startsWith('BEGIN')) return undefined
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 40) // a driver may block this long
      return message
    }
    database.executed.length = 0
    const measureRejection = async () => {
      const began = performance.now()
      await assert.rejects(store.create(rex), StoreUnavailableError)
      return performance.now() - began
    }
    const first = measureRejection()
    await setTimeout(100)
    for (const waited of await Promise.all([first, measureRejection()]))
      assert.ok(waited >= 200, `${waited} ms`)
    assert.ok(database.executed.length <= 8, `${database.executed.length} attempts`)
    const waiting = [store.create(rex)]
    await setTimeout(60)
    waiting.push(store.create(rex))
    message = ''
    database.executed.length = 0
    await Promise.all(waiting)
    assert.deepEqual(database.executed.map(getFirstWord), ['BEGIN', 'INSERT', 'INSERT', 'COMMIT'])
    message = 'disk I/O error'
    database.executed.length = 0
    await assert.rejects(store.create(rex), StoreUnavailableError)
    assert.deepEqual(database.executed, ['BEGIN IMMEDIATE'])
  })

  it('rejects invalid and unknown options', () => {
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

  it('waits for a locked file when it is created', () => {
    const database = scriptDatabase()
    let locked = 2
    database.failure = (sql) => (sql.includes('WAL') && locked-- > 0 ? 'database is locked' : undefined)
    const identity = { application: 0x50657473, version: 2, tables: 1, pages: 9, data_version: 1 }
    database.rows = (sql) => [sql.includes('database_list') ? { file: '/data/animals.sqlite' } : identity]
    const start = (lockTimeoutMs = 20) => createSqliteStore({ database, lockTimeoutMs })
    start(5000)
    assert.equal(database.executed.filter((sql) => sql.includes('WAL')).length, 3)
    locked = Infinity
    assert.throws(() => start(), {
      name: 'StartupError',
      message: /^\/data\/animals.sqlite is locked by another/,
    })
    database.failure = (sql) => (sql.includes('WAL') ? 'out of memory' : undefined)
    database.executed.length = 0
    assert.throws(() => start(5000), { message: 'out of memory' })
    assert.equal(database.executed.filter((sql) => sql.includes('WAL')).length, 1)
  })
})

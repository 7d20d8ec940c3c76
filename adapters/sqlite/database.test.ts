import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type NewPet, StoreUnavailable } from '../../core/index.ts'
import { keyOf } from '../contracts/pet-store/cases.ts'
import { createSqliteStore } from '../sqlite.ts'
import { fileRow, isAboutFile, scriptDatabase } from './testing/scripted-database.ts'

const rex: NewPet = { name: 'Rex', categoryId: 1n }
const row = { id: '9007199254740991', name: 'Rex', categoryId: '-9223372036854775808', status: 'sold' }
const pet = { id: 2n ** 53n - 1n, name: 'Rex', categoryId: -(2n ** 63n), status: 'sold' }

test('changes of one turn of the event loop share one commit, in their order, and those of the next turn another', async () => {
  const database = scriptDatabase()
  const store = createSqliteStore({ database })
  database.ran.length = 0
  await Promise.all([
    store.create(rex),
    store.update(1n, { name: 'Max' }),
    store.createOnce(rex, keyOf('a')),
    store.remove(1n),
  ])
  await nextTurn()
  await store.create(rex)
  const first = (sql: string) => sql.trim().split(/\s/, 1)[0]
  assert.deepEqual(database.ran.map(first), [
    'BEGIN',
    'INSERT',
    'UPDATE',
    ...['SELECT', 'DELETE', 'INSERT', 'INSERT'],
    'DELETE',
    'COMMIT',
    ...['BEGIN', 'INSERT', 'COMMIT'],
  ])
})

test('a change that fails rejects the others of its commit, and is rolled back', async () => {
  const database = scriptDatabase()
  const store = createSqliteStore({ database })
  database.failure = (sql) => (sql.startsWith('UPDATE') ? 'disk I/O error' : undefined)
  const results = await Promise.allSettled([store.create(rex), store.update(1n, { name: 'Max' })])
  assert.deepEqual(
    results.map(({ status }) => status),
    ['rejected', 'rejected'],
  )
  assert.equal(database.ran.at(-1), 'ROLLBACK')
})

test('a transaction that SQLite has ended by itself fails with its first error', async () => {
  const database = scriptDatabase()
  const store = createSqliteStore({ database })
  const failures: Record<string, string> = {
    COMMIT: 'database or disk is full',
    ROLLBACK: 'cannot rollback - no transaction is active',
  }
  database.failure = (sql) => failures[sql]
  await assert.rejects(store.create(rex), /free some disk space/)
  await assert.rejects(store.importPets([rex]), /free some disk space/)
})

test('int64 pass through the driver as text, in both directions', async () => {
  const database = scriptDatabase()
  const bound: unknown[] = []
  const store = createSqliteStore({ database })
  database.rows = (_, values) => {
    bound.push(...values)
    return [row]
  }
  assert.deepEqual(store.get(2n ** 63n - 1n), pet)
  assert.deepEqual(store.list({ limit: 20, after: -(2n ** 63n), status: 'sold' }), [pet])
  assert.deepEqual(await store.create({ ...rex, status: 'sold' }), { ...pet, categoryId: 1n })
  assert.deepEqual(
    bound.filter((value) => typeof value !== 'string'),
    [20],
  )
})

test('a driver that returns null for no row finds no animal', () => {
  const database = scriptDatabase()
  const prepare = database.prepare.bind(database)
  const store = createSqliteStore({
    database: {
      exec: database.exec,
      prepare: (sql) => ({ ...prepare(sql), get: () => (isAboutFile(sql) ? fileRow : null) }),
    },
  })
  assert.equal(store.get(1n), undefined)
})

const failuresAtWork = [
  { message: 'database is locked', unavailable: true },
  { message: 'database table is locked', unavailable: true },
  { message: 'database or disk is full', unavailable: true },
  { message: 'attempt to write a readonly database', unavailable: true },
  { message: 'unable to open database file', unavailable: true },
  { message: 'disk I/O error', unavailable: true },
  { message: 'database disk image is malformed', unavailable: false },
  { message: 'no such table: pets', unavailable: false },
]

for (const { message, unavailable } of failuresAtWork)
  test(`"${message}" at work is ${unavailable ? 'StoreUnavailable' : 'an error'}`, async () => {
    const database = scriptDatabase()
    const store = createSqliteStore({ database, lockTimeoutMs: 0 })
    database.failure = () => message
    const isExpected = (error: Error) =>
      error instanceof StoreUnavailable === unavailable && String(error.cause ?? error).includes(message)
    assert.throws(() => store.list({ limit: 1 }), isExpected)
    assert.throws(() => store.get(1n), isExpected)
    await assert.rejects(store.create(rex), isExpected)
    await assert.rejects(store.importPets([rex]), isExpected)
  })

test('a creation waits for no other failure than a lock', async () => {
  const database = scriptDatabase()
  const store = createSqliteStore({ database, lockTimeoutMs: 20 })
  database.failure = (sql) => (sql.startsWith('BEGIN') ? 'disk I/O error' : undefined)
  database.ran.length = 0
  await assert.rejects(store.create(rex), StoreUnavailable)
  assert.deepEqual(database.ran, ['BEGIN IMMEDIATE'])
})

test('an invalid option is named', () => {
  const database = scriptDatabase()
  // @ts-expect-error: a caller in JavaScript may pass it
  assert.throws(() => createSqliteStore({ database: 'animals.sqlite' }), /options\.database/)
  // @ts-expect-error: likewise
  assert.throws(() => createSqliteStore({}), /options\.database/)
  assert.throws(() => createSqliteStore({ database, lockTimeoutMs: -1 }), /options\.lockTimeoutMs/)
  // @ts-expect-error: likewise
  assert.throws(() => createSqliteStore({ database, tabel: 'x' }), /options\.tabel is no option/)
})

test('a start that meets a lock fails with what to do', () => {
  const database = scriptDatabase()
  database.failure = (sql) => (sql.includes('WAL') ? 'database is locked' : undefined)
  const identity = { application: 0x50657473, version: 2, tables: 1 }
  database.rows = (sql) => [sql.includes('database_list') ? { file: '/data/animals.sqlite' } : identity]
  assert.throws(() => createSqliteStore({ database, lockTimeoutMs: 20 }), {
    name: 'Error',
    message: /^\/data\/animals.sqlite is locked by another/,
  })
})

test('a start waits while another process prepares the file', () => {
  const database = scriptDatabase()
  let locked = 2
  database.failure = (sql) => (sql.includes('WAL') && locked-- > 0 ? 'database is locked' : undefined)
  createSqliteStore({ database })
  assert.equal(database.ran.filter((sql) => sql.includes('WAL')).length, 3)
})

test('an unknown failure is thrown as it is', () => {
  const database = scriptDatabase()
  database.failure = () => 'out of memory'
  assert.throws(() => createSqliteStore({ database }), { message: 'out of memory' })
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type NewPet, StoreUnavailable } from '../../core/index.ts'
import { createSqliteStore } from '../sqlite.ts'
import { emptyFile, scriptDatabase } from './testing/scripted-database.ts'

const rex: NewPet = { name: 'Rex', categoryId: 1n }
const row = { id: '9007199254740991', name: 'Rex', categoryId: '-9223372036854775808', status: 'sold' }
const pet = { id: 2n ** 53n - 1n, name: 'Rex', categoryId: -(2n ** 63n), status: 'sold' }

test('creations of one turn of the event loop share one commit, those of the next turn another', async () => {
  const database = scriptDatabase()
  const store = createSqliteStore({ database })
  database.ran.length = 0
  await Promise.all([store.create(rex), store.create(rex)])
  await nextTurn()
  await store.create(rex)
  assert.deepEqual(
    database.ran.map((sql) => sql.split(' ')[0]),
    ['BEGIN', 'INSERT', 'INSERT', 'COMMIT', 'BEGIN', 'INSERT', 'COMMIT'],
  )
})

test('all creations of a commit that fails are rejected, and rolled back', async () => {
  const database = scriptDatabase()
  const store = createSqliteStore({ database })
  database.failure = (sql) => (sql === 'COMMIT' ? 'disk I/O error' : undefined)
  const outcomes = await Promise.allSettled([store.create(rex), store.create(rex)])
  for (const outcome of outcomes)
    assert.ok(outcome.status === 'rejected' && outcome.reason instanceof StoreUnavailable)
  assert.equal(database.ran.at(-1), 'ROLLBACK')
})

test('a transaction that SQLite has ended by itself is reported by its first error', async () => {
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

test('it prepares its statements once', async () => {
  const database = scriptDatabase()
  const store = createSqliteStore({ database })
  const { prepared } = database
  await store.create(rex)
  store.list({ limit: 1 })
  store.list({ limit: 1, status: 'sold' })
  store.get(1n)
  await store.importPets([rex])
  assert.equal(database.prepared, prepared)
})

test('int64 cross the driver as text, in both directions', async () => {
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

test('a driver that answers null for no row has no animal there', () => {
  const database = scriptDatabase()
  const prepare = database.prepare.bind(database)
  const store = createSqliteStore({
    database: {
      exec: database.exec,
      prepare: (sql) => ({ ...prepare(sql), get: () => (sql.includes('pragma_') ? emptyFile : null) }),
    },
  })
  assert.equal(store.get(1n), undefined)
})

const faultsAtWork = [
  { words: 'database is locked', unavailable: true },
  { words: 'database table is locked', unavailable: true },
  { words: 'database or disk is full', unavailable: true },
  { words: 'attempt to write a readonly database', unavailable: true },
  { words: 'unable to open database file', unavailable: true },
  { words: 'disk I/O error', unavailable: true },
  { words: 'database disk image is malformed', unavailable: false },
  { words: 'no such table: pets', unavailable: false },
]

for (const { words, unavailable } of faultsAtWork)
  test(`"${words}" met at work is ${unavailable ? 'unavailability' : 'an error'}`, async () => {
    const database = scriptDatabase()
    const store = createSqliteStore({ database, lockTimeoutMs: 0 })
    database.failure = () => words
    const right = (error: Error) =>
      error instanceof StoreUnavailable === unavailable && String(error.cause ?? error).includes(words)
    assert.throws(() => store.list({ limit: 1 }), right)
    assert.throws(() => store.get(1n), right)
    await assert.rejects(store.create(rex), right)
    await assert.rejects(store.importPets([rex]), right)
  })

test('a lock is waited for only so long', async () => {
  const database = scriptDatabase()
  const store = createSqliteStore({ database, lockTimeoutMs: 20 })
  let locked = 2
  database.failure = (sql) => (sql.startsWith('BEGIN') && locked-- > 0 ? 'database is locked' : undefined)
  assert.equal((await store.create(rex)).id, 1n)
  locked = 3
  await assert.rejects(store.create(rex), StoreUnavailable)
})

test('nothing but a lock is waited for', async () => {
  const database = scriptDatabase()
  const store = createSqliteStore({ database, lockTimeoutMs: 20 })
  database.failure = (sql) => (sql.startsWith('BEGIN') ? 'disk I/O error' : undefined)
  database.ran.length = 0
  await assert.rejects(store.create(rex), StoreUnavailable)
  assert.deepEqual(database.ran, ['BEGIN IMMEDIATE'])
})

test('an unusable option is named', () => {
  const database = scriptDatabase()
  // @ts-expect-error: what a caller in JavaScript may hand in
  assert.throws(() => createSqliteStore({ database: 'animals.sqlite' }), /options\.database/)
  // @ts-expect-error: likewise
  assert.throws(() => createSqliteStore({}), /options\.database/)
  assert.throws(() => createSqliteStore({ database, lockTimeoutMs: -1 }), /options\.lockTimeoutMs/)
})

const ours = { application: 0x50657473, version: 1, tables: 1 }
const startFaults = [
  {
    fault: 'a newer version',
    identity: { ...ours, version: 2 },
    says: /^\/data\/animals.sqlite .*newer version/,
  },
  { fault: 'other tables', identity: { ...ours, application: 7 }, says: /tables of another program/ },
  {
    fault: 'a lock',
    identity: ours,
    failure: 'database is locked',
    says: /animals.sqlite is locked by another/,
  },
  { fault: 'no database', identity: ours, failure: 'file is not a database', says: /is no SQLite database/ },
]

for (const { fault, identity, failure, says } of startFaults)
  test(`a start that meets ${fault} says so`, () => {
    const database = scriptDatabase()
    database.failure = (sql) => (sql.includes('WAL') ? failure : undefined)
    database.rows = (sql) => [sql.includes('database_list') ? { file: '/data/animals.sqlite' } : identity]
    assert.throws(() => createSqliteStore({ database, lockTimeoutMs: 20 }), { name: 'Error', message: says })
  })

test('a start waits while another process prepares the file', () => {
  const database = scriptDatabase()
  let locked = 2
  database.failure = (sql) => (sql.includes('WAL') && locked-- > 0 ? 'database is locked' : undefined)
  createSqliteStore({ database, lockTimeoutMs: 20 })
  assert.equal(database.ran.filter((sql) => sql.includes('WAL')).length, 3)
})

test('a fault that nobody can name is handed on as it is', () => {
  const database = scriptDatabase()
  database.failure = () => 'out of memory'
  assert.throws(() => createSqliteStore({ database }), { message: 'out of memory' })
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CreationKey, NewPet } from '../../core/index.ts'
import { testWith } from '../contracts/testing/part.ts'
import { type OpenDatabase, openSqlite, sqlite, temporaryFiles } from '../contracts/testing/sqlite.ts'
import { createSqliteStore, type SqliteStore } from '../sqlite.ts'
import { scriptDatabase } from './testing/scripted-database.ts'

const sqliteTest = testWith(sqlite)
const newFile = temporaryFiles()
const rex: NewPet = { name: 'Rex', categoryId: 1n, status: 'sold' }

function keyOf(token: number, now = 1): CreationKey {
  return { token: String(token).padStart(64, '0'), fingerprint: 'f'.repeat(64), now, expiresAt: now + 1000 }
}

interface Opened {
  readonly database: OpenDatabase
  readonly store: SqliteStore
}

function open(file: string): Opened {
  const database = openSqlite(file)
  return { database, store: createSqliteStore({ database }) }
}

test('changes of all kinds in one turn of the event loop share one commit, in their order', async () => {
  const database = scriptDatabase()
  const store = createSqliteStore({ database })
  database.ran.length = 0
  await Promise.all([
    store.create(rex),
    store.update(1n, { name: 'Max' }),
    store.createOnce(rex, keyOf(1)),
    store.remove(1n),
  ])
  const first = (sql: string) => sql.trim().split(/\s/, 1)[0]
  assert.deepEqual(database.ran.map(first), [
    'BEGIN',
    'INSERT',
    'UPDATE',
    ...['SELECT', 'DELETE', 'INSERT', 'INSERT'],
    'DELETE',
    'COMMIT',
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

sqliteTest(
  'a creation with a key leaves the cached pages as they are; a change and a removal do not',
  async () => {
    const { database, store } = open(newFile())
    for (let i = 0; i < 3; i++) await store.create(rex)
    const first = store.page({ limit: 2 })
    for (let i = 0; i < 3; i++) await store.createOnce(rex, keyOf(i))
    await store.createOnce(rex, keyOf(4, 5000))
    await store.createOnce(rex, keyOf(4, 5000))
    assert.equal(store.page({ limit: 2 }), first)
    await store.update(1n, { name: 'Max' })
    assert.match(store.page({ limit: 2 }).json, /Max.*Rex/)
    await store.remove(1n)
    assert.match(store.page({ limit: 2 }).json, /"id":2,.*"id":3,/)
    database.close()
  },
)

sqliteTest(
  'another connection shows changes and removals at once, in full pages that it has listed before',
  async () => {
    const file = newFile()
    const [first, second] = [open(file), open(file)]
    for (let i = 0; i < 3; i++) await first.store.create(rex)
    const shown = () =>
      JSON.parse(second.store.page({ limit: 2 }).json).map(
        ({ id, name }: { id: number; name: string }) => `${id} ${name}`,
      )
    assert.deepEqual(shown(), ['1 Rex', '2 Rex'])
    await first.store.update(2n, { name: 'Max' })
    assert.deepEqual(shown(), ['1 Rex', '2 Max'])
    await first.store.remove(1n)
    assert.deepEqual(shown(), ['2 Max', '3 Rex'])
    for (const { database } of [first, second]) database.close()
  },
)

sqliteTest('creates one animal for a key that 200 calls use at once, on two connections', async () => {
  const file = newFile()
  const stores = [open(file), open(file)]
  const results = await Promise.all(
    Array.from({ length: 100 }, () => stores.map(({ store }) => store.createOnce(rex, keyOf(1)))).flat(),
  )
  assert.equal(results.filter(({ outcome }) => outcome === 'created').length, 1)
  assert.equal(results.filter(({ outcome }) => outcome === 'replayed').length, 199)
  assert.equal(stores[0]?.store.list({ limit: 10 }).length, 1)
  for (const { database } of stores) database.close()
})

sqliteTest('removes expired keys a few at a time, so that those of one lifetime are stored', async () => {
  const { database, store } = open(newFile())
  const count = () => database.prepare('SELECT token FROM creation_keys').all().length
  await Promise.all(Array.from({ length: 25 }, (_, i) => store.createOnce(rex, keyOf(i))))
  assert.equal(count(), 25)
  const counts: number[] = []
  for (let i = 100; i < 105; i++) {
    await store.createOnce(rex, keyOf(i, 1001))
    counts.push(count())
  }
  assert.deepEqual(counts, [16, 7, 3, 4, 5])
  database.close()
})

import assert from 'node:assert/strict'
import { type NewPet, StoreUnavailable } from '../../core/index.ts'
import { firstUse, keyOf } from '../contracts/pet-store/cases.ts'
import { testWith } from '../contracts/testing/part.ts'
import { type OpenDatabase, openSqlite, sqlite, temporaryFiles } from '../contracts/testing/sqlite.ts'
import { createSqliteStore, type SqliteStore } from '../sqlite.ts'

const test = testWith(sqlite)
const newFile = temporaryFiles()
const rex: NewPet = { name: 'Rex', categoryId: 1n, status: 'sold' }

interface Opened {
  readonly database: OpenDatabase
  readonly store: SqliteStore
}

function open(file = newFile()): Opened {
  const database = openSqlite(file)
  return { database, store: createSqliteStore({ database }) }
}

const isUnavailable = (message: RegExp) => (error: unknown) =>
  error instanceof StoreUnavailable && message.test(error.message)

test('a check of writes leaves no animal, takes no id and keeps cached pages', async () => {
  const { database, store } = open()
  await store.create(rex)
  await store.create(rex)
  const page = store.page({ limit: 1 })
  await store.checkWrites()
  assert.equal(store.page({ limit: 1 }), page)
  assert.equal((await store.create(rex)).id, 3n)
  assert.equal(store.list({ limit: 10 }).length, 3)
  database.close()
})

test('a check of writes fails while the file has no room, and not once it has', async () => {
  const { database, store } = open()
  const { page_count } = database.prepare('PRAGMA page_count').get() as { page_count: number } // its row
  database.exec(`PRAGMA max_page_count = ${page_count}`)
  const name = 'x'.repeat(900)
  await assert.rejects(
    async () => {
      for (;;) await store.create({ ...rex, name })
    },
    isUnavailable(/no room left/),
  )
  await assert.rejects(
    async () => {
      for (;;) await store.create({ name: '', categoryId: 0n })
    },
    isUnavailable(/no room left/),
  )
  await assert.rejects(store.checkWrites(), isUnavailable(/no room left/))
  database.exec(`PRAGMA max_page_count = ${page_count + 10}`)
  await store.checkWrites()
  database.close()
})

test('a creation with a key leaves the cached pages as they are; a change and a removal do not', async () => {
  const { database, store } = open()
  for (let i = 0; i < 3; i++) await store.create(rex)
  const first = store.page({ limit: 2 })
  for (let i = 0; i < 3; i++) await store.createOnce(rex, keyOf(`${i}`))
  await store.createOnce(rex, keyOf('4', 'f', firstUse + 86_400_000))
  await store.createOnce(rex, keyOf('4', 'f', firstUse + 86_400_000))
  assert.equal(store.page({ limit: 2 }), first)
  await store.update(1n, { name: 'Max' })
  assert.match(store.page({ limit: 2 }).json, /Max.*Rex/)
  await store.remove(1n)
  assert.match(store.page({ limit: 2 }).json, /"id":2,.*"id":3,/)
  database.close()
})

test('another connection shows changes and removals at once, in full pages that it has listed before', async () => {
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
})

import assert from 'node:assert/strict'
import { type NewPet, StoreUnavailable } from '../../core/index.ts'
import { testWith } from '../contracts/testing/part.ts'
import { openSqlite, sqlite, temporaryFiles } from '../contracts/testing/sqlite.ts'
import { createSqliteStore } from '../sqlite.ts'

const test = testWith(sqlite)
const newFile = temporaryFiles()
const rex: NewPet = { name: 'Rex', categoryId: 1n, status: 'sold' }

const isUnavailable = (message: RegExp) => (error: unknown) =>
  error instanceof StoreUnavailable && message.test(error.message)

test('a check of writes leaves no animal, takes no id and keeps cached pages', async () => {
  const database = openSqlite(newFile())
  const store = createSqliteStore({ database })
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
  const database = openSqlite(newFile())
  const store = createSqliteStore({ database })
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

test('a check of writes fails on a database that may not be written', async () => {
  const file = newFile()
  const database = openSqlite(file)
  const store = createSqliteStore({ database })
  database.exec('PRAGMA query_only = ON')
  await assert.rejects(store.checkWrites(), isUnavailable(/cannot be written/))
  database.exec('PRAGMA query_only = OFF')
  await store.checkWrites()
  database.close()
})

test('a check of writes waits for a lock as long as a creation does', async () => {
  const file = newFile()
  const [database, other] = [openSqlite(file), openSqlite(file)]
  const store = createSqliteStore({ database, lockTimeoutMs: 20 })
  other.exec('BEGIN IMMEDIATE')
  await assert.rejects(store.checkWrites(), isUnavailable(/locked by another program/))
  other.exec('ROLLBACK')
  await store.checkWrites()
  for (const each of [database, other]) each.close()
})

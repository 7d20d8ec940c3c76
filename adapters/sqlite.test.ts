import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type NewPet, type PetPage, StoreUnavailable } from '../core/index.ts'
import { petStoreContract } from './contracts/index.ts'
import { testWith } from './contracts/testing/part.ts'
import { openSqlite, sqlite, temporaryFiles } from './contracts/testing/sqlite.ts'
import { createSqliteStore, type SqliteStore } from './sqlite.ts'

const test = testWith(sqlite)
const newFile = temporaryFiles()
const rex: NewPet = { name: 'Rex', categoryId: 1n, status: 'sold' }

interface FileStore extends SqliteStore {
  readonly file: string
  exec(sql: string): void
  close(): void
}

function openStore(file = newFile(), options: { lockTimeoutMs?: number } = {}): FileStore {
  const database = openSqlite(file)
  const exec = (sql: string) => void database.exec(sql)
  return { ...createSqliteStore({ database, ...options }), file, exec, close: () => database.close() }
}

petStoreContract({
  test,
  createStore: () => openStore(),
  reopenStore: ({ file }) => openStore(file),
  closeStore: (store) => store.close(),
  capabilities: { page: true, createOnce: true, update: true, remove: true },
})

test('uses a write-ahead log, and syncs it with each commit', () => {
  const database = openSqlite(newFile())
  createSqliteStore({ database })
  const setting = (name: string) => Object.values(database.prepare(`PRAGMA ${name}`).get() ?? {})
  assert.deepEqual([setting('journal_mode'), setting('synchronous')], [['wal'], [2]])
  database.close()
})

test('assigns no id beyond 2^53 - 1', async () => {
  const store = openStore()
  store.exec(`INSERT INTO pets (id, name, category_id) VALUES (${2 ** 53 - 2}, 'Rex', 1)`)
  assert.equal((await store.create(rex)).id, 2n ** 53n - 1n)
  await assert.rejects(store.create(rex), /CHECK/)
  store.close()
})

/** Returns the ids and statuses of a page. */
function statusesOf({ json }: PetPage): string[] {
  return JSON.parse(json).map(({ id, status }: { id: number; status: string }) => `${id} ${status}`)
}

test('shows from the next turn on what statements on its own connection have changed, on a full page too', async () => {
  const store = openStore()
  for (let i = 0; i < 3; i++) await store.create(rex)
  const statuses = () => statusesOf(store.page({ limit: 2 }))
  assert.deepEqual(statuses(), ['1 sold', '2 sold'])
  assert.equal(store.get(1n), store.get(1n))
  store.exec("UPDATE pets SET status = 'pending' WHERE id = 1")
  await nextTurn()
  assert.equal(store.get(1n)?.status, 'pending')
  assert.deepEqual(statuses(), ['1 pending', '2 sold'])
  store.exec('DELETE FROM pets WHERE id = 2')
  await nextTurn()
  assert.equal(store.get(2n), undefined)
  assert.deepEqual(statuses(), ['1 pending', '3 sold'])
  await assert.rejects(Promise.all([store.create(rex), store.create({ ...rex, status: 'lost' as 'sold' })]))
  await store.create(rex)
  assert.deepEqual(statuses(), ['1 pending', '3 sold'])
  store.close()
})

test('returns the same page, as it is, until something else than a creation has changed the file', async () => {
  const store = openStore()
  for (let i = 0; i < 3; i++) await store.create(rex)
  const page = store.page({ limit: 2 })
  await store.create(rex)
  await store.importPets([rex])
  assert.equal(store.page({ limit: 2 }), page)
  store.exec('DELETE FROM pets WHERE id = 5')
  await nextTurn()
  assert.notEqual(store.page({ limit: 2 }), page)
  store.close()
})

test('shows from the next turn on what another connection has changed, on a full page too', async () => {
  const store = openStore()
  for (let i = 0; i < 3; i++) await store.create(rex)
  const statuses = (status?: 'sold' | 'pending') =>
    statusesOf(store.page({ limit: 2, ...(status && { status }) }))
  assert.deepEqual(statuses(), ['1 sold', '2 sold'])
  assert.deepEqual(statuses('sold'), ['1 sold', '2 sold'])
  const other = openSqlite(store.file)
  assert.equal(store.get(1n)?.status, 'sold')
  other.exec("UPDATE pets SET status = 'pending' WHERE id = 1")
  await nextTurn()
  assert.equal(store.get(1n)?.status, 'pending')
  assert.deepEqual(statuses(), ['1 pending', '2 sold'])
  assert.deepEqual(statuses('sold'), ['2 sold', '3 sold'])
  other.exec('DELETE FROM pets WHERE id = 2')
  await nextTurn()
  assert.deepEqual(statuses(), ['1 pending', '3 sold'])
  assert.deepEqual(statuses('pending'), ['1 pending'])
  other.close()
  store.close()
})

test('is unavailable for creations once another connection has held its lock for too long, and recovers', async () => {
  const store = openStore(newFile(), { lockTimeoutMs: 20 })
  const other = openSqlite(store.file)
  other.exec('BEGIN IMMEDIATE')
  const rejected = assert.rejects(store.create(rex), isUnavailable(/locked by another program/))
  await nextTurn()
  assert.deepEqual(store.list({ limit: 1 }), [])
  await rejected
  other.exec('COMMIT')
  assert.equal((await store.create(rex)).id, 1n)
  other.close()
  store.close()
})

const invalidFiles: Readonly<Record<string, readonly [file: () => string, message: RegExp]>> = {
  'is no database': [
    () => withBytes(newFile(), Buffer.from('Rex, dog, sold\n'.repeat(100))),
    /is no SQLite database/,
  ],
  'is damaged': [
    () => {
      const file = preparedFile()
      return withBytes(file, readFileSync(file).fill(0xff, 100, 200))
    },
    /is damaged: restore a backup/,
  ],
  'was written by a newer version': [
    () => preparedFile('PRAGMA user_version = 99'),
    /newer version .*schema 99; this one knows 2\): update this/,
  ],
  'was written before 1.0.0': [
    () => preparedFile('PRAGMA user_version = 1'),
    /before 1\.0\.0 \(schema 1\): export its animals with that version, and import them into a new file/,
  ],
  'was restored from a dump, which has no version': [
    () => preparedFile('PRAGMA user_version = 0; PRAGMA application_id = 0'),
    /tables of another program/,
  ],
  'belongs to another program': [
    () => preparedFile('PRAGMA application_id = 7'),
    /tables of another program/,
  ],
}

for (const [kind, [file, message]] of Object.entries(invalidFiles))
  test(`rejects a file that ${kind}, names it, and leaves it as it was`, () => {
    const path = file()
    const before = readFileSync(path)
    const database = openSqlite(path)
    assert.throws(() => createSqliteStore({ database }), { name: 'Error', message })
    assert.throws(
      () => createSqliteStore({ database }),
      ({ message }: Error) => message.includes(path),
    )
    database.close()
    assert.deepEqual(readFileSync(path), before)
  })

test('reads a file that it may not write, and creates nothing in it', async () => {
  const database = openSqlite(preparedFile(), { readOnly: true })
  const store = createSqliteStore({ database })
  assert.deepEqual(store.list({ limit: 1 }), [])
  await assert.rejects(store.create(rex), /cannot be written: check the permissions/)
  database.close()
})

test('shows no reader an import that is not committed, and lets creations wait for it', async () => {
  const store = openStore()
  const other = openStore(store.file)
  let finish = () => {}
  async function* pets() {
    yield rex
    await new Promise<void>((resolve) => {
      finish = resolve
    })
  }
  const done = store.importPets(pets())
  const creation = store.create({ ...rex, name: 'Max' })
  await nextTurn()
  assert.throws(() => store.list({ limit: 10 }), isUnavailable(/import/))
  assert.throws(() => store.get(1n), StoreUnavailable)
  assert.deepEqual(other.list({ limit: 10 }), [])
  finish()
  assert.equal(await done, 1)
  assert.equal((await creation).id, 2n)
  assert.equal(other.list({ limit: 10 }).length, 2)
  other.close()
  store.close()
})

const plans = [
  { query: 'get', sql: /SEARCH pets USING INTEGER PRIMARY KEY \(rowid=\?\)/ },
  { query: 'list', sql: /SEARCH pets USING INTEGER PRIMARY KEY \(rowid>\?\)/ },
  { query: 'list by status', sql: /SEARCH pets USING INDEX pets_by_status \(status=\? AND rowid>\?\)/ },
  { query: 'findCreated', sql: /SEARCH creation_keys USING PRIMARY KEY \(token=\?\)/ },
]

test('runs each query on an index, and sorts nothing', () => {
  const database = openSqlite(newFile())
  const queries: string[] = []
  const { exec, prepare } = { exec: database.exec.bind(database), prepare: database.prepare.bind(database) }
  createSqliteStore({
    database: {
      exec,
      prepare(sql) {
        queries.push(sql)
        return prepare(sql)
      },
    },
  })
  const found = queries
    .filter((sql) => sql.startsWith('SELECT CAST'))
    .map((sql) => JSON.stringify(database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all()))
  assert.equal(found.length, plans.length)
  for (const [i, { query, sql }] of plans.entries()) {
    assert.match(found[i] ?? '', sql, query)
    assert.doesNotMatch(found[i] ?? '', /TEMP B-TREE|SCAN/, query)
  }
  database.close()
})

function preparedFile(sql = ''): string {
  const store = openStore()
  store.exec(sql)
  store.close()
  return store.file
}

function withBytes(file: string, bytes: Uint8Array): string {
  writeFileSync(file, bytes)
  return file
}

function isUnavailable(words: RegExp): (error: unknown) => boolean {
  return (error) => error instanceof StoreUnavailable && words.test(error.message)
}

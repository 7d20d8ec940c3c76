import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { describe } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type PetPage, type PetQuery, StoreUnavailableError } from '../../core/index.ts'
import { petStoreContract } from '../contracts/index.ts'
import { createTestKey, firstUseTime } from '../contracts/pet-store/model.ts'
import { openTestDatabase } from '../contracts/testing/sqlite.ts'
import { shelterKey } from '../testing/key-records-suite.ts'
import { createSqliteKeyStore, createSqliteStore, type SqliteStore } from './index.ts'
import { createFileName, open, rex, startImport, test } from './testing/open.ts'

interface FileStore extends SqliteStore {
  readonly file: string
  exec(sql: string): void
}

function openStore(file = createFileName(), options: { lockTimeoutMs?: number } = {}): FileStore {
  const database = open(file)
  const exec = (sql: string) => void database.exec(sql)
  return { ...createSqliteStore({ database, ...options }), file, exec }
}

petStoreContract({
  test,
  create: () => openStore(),
  reopen: ({ file }) => openStore(file),
})

describe('the SQLite store', () => {
  test('uses a write-ahead log with full synchronization', () => {
    const database = open()
    createSqliteStore({ database })
    const setting = (name: string) => Object.values(database.prepare(`PRAGMA ${name}`).get() ?? {})
    assert.deepEqual([setting('journal_mode'), setting('synchronous')], [['wal'], [2]])
  })

  /** Another connection's change is visible in the next event loop turn. */
  const runSql = (sql: string) => async (store: FileStore) => {
    store.exec(sql)
    await nextTurn()
  }
  const bySqlStatements = {
    change: runSql("UPDATE pets SET status = 'pending' WHERE id = 1"),
    remove: runSql('DELETE FROM pets WHERE id = 2'),
  }
  const byMethods = {
    change: (store: FileStore) => store.update(1n, { status: 'pending' }),
    remove: (store: FileStore) => store.remove(2n),
  }

  for (const { who, other, by } of [
    { who: 'its own methods', other: (store: FileStore) => store, by: byMethods },
    { who: 'another connection', other: ({ file }: FileStore) => openStore(file), by: bySqlStatements },
    { who: 'another store', other: ({ file }: FileStore) => openStore(file), by: byMethods },
  ])
    test(`returns current data after changes by ${who}`, async () => {
      const store = openStore()
      const changer = other(store)
      for (let i = 0; i < 3; i++) await store.create(rex)
      const readPages = (query: Partial<PetQuery> = {}) => formatPage(store.page({ limit: 2, ...query }))
      assert.deepEqual([readPages(), readPages({ status: 'sold' })], ['1 sold, 2 sold', '1 sold, 2 sold'])
      assert.equal(store.get(1n), store.get(1n))
      // A read during the change must not cache the old data.
      await Promise.all([nextTurn().then(() => readPages()), by.change(changer)])
      assert.equal(store.get(1n)?.status, 'pending')
      assert.deepEqual([readPages(), readPages({ status: 'sold' })], ['1 pending, 2 sold', '2 sold, 3 sold'])
      await by.remove(changer)
      assert.equal(store.get(2n), undefined)
      assert.deepEqual([readPages(), readPages({ status: 'pending' })], ['1 pending, 3 sold', '1 pending'])
    })

  test('evicts the oldest animal if more than 1,000 are cached', async () => {
    const store = openStore()
    await store.importPets(Array(1_001).fill(rex))
    const cachedPet = store.get(1n)
    for (let id = 2n; id <= 1_000n; id++) store.get(id)
    assert.equal(store.get(1n), cachedPet)
    store.get(1_001n)
    assert.notEqual(store.get(1n), cachedPet)
  })

  const keepingChanges: Readonly<Record<string, (store: FileStore) => Promise<unknown>>> = {
    'a creation': (store) => store.create(rex),
    'a creation with an idempotency key': (store) => store.createOnce(rex, createTestKey('a')),
    'a creation that deletes an expired idempotency key': (store) =>
      store.createOnce(rex, createTestKey('b', 'f', firstUseTime + 2 * 86_400_000)),
    'an import': (store) => store.importPets([rex]),
    'a write check': (store) => store.checkWrites(),
  }

  test('keeps a full page in its cache when animals are created', async () => {
    const store = openStore()
    for (let i = 0; i < 3; i++) await store.create(rex)
    const page = store.page({ limit: 2 })
    for (const [kind, change] of Object.entries(keepingChanges)) {
      await change(store)
      assert.equal(store.page({ limit: 2 }), page, kind)
    }
    assert.equal((await store.create(rex)).id, 8n)
    await store.update(1n, { name: 'Max' })
    assert.notEqual(store.page({ limit: 2 }), page)
  })

  test('reads while another program locks the file', async () => {
    const file = createFileName()
    const options = { database: open(file), lockTimeoutMs: 20 }
    const [store, keys] = [createSqliteStore(options), createSqliteKeyStore(options)]
    const other = open(file)
    other.exec('BEGIN IMMEDIATE')
    const change = () => [store.create(rex), keys.update({ id: 'shelter' }, () => [shelterKey])]
    const rejected = change().map((changed) =>
      assert.rejects(changed, isUnavailable(/locked by another program/)),
    )
    await nextTurn()
    assert.deepEqual(store.list({ limit: 1 }), [])
    assert.equal(keys.find('a-key'), undefined)
    const began = performance.now()
    await Promise.all(rejected)
    assert.ok(performance.now() - began < 4000)
    other.exec('COMMIT')
    await Promise.all(change())
    assert.equal(store.list({ limit: 2 }).length, 1)
    assert.ok(keys.find('a-key'))
  })

  test('rejects writes and write checks on a full disk', async () => {
    const database = open()
    const store = createSqliteStore({ database })
    const { page_count } = database.prepare('PRAGMA page_count').get() as { page_count: number } // SQLite documents this row
    database.exec(`PRAGMA max_page_count = ${page_count}`)
    const fill = async (name: string) => {
      for (;;) await store.create({ name, categoryId: 0n })
    }
    for (const name of ['x'.repeat(900), '']) await assert.rejects(fill(name), isUnavailable(/no space left/))
    await assert.rejects(store.checkWrites(), isUnavailable(/no space left/))
    database.exec(`PRAGMA max_page_count = ${page_count + 10}`)
    await store.checkWrites()
  })

  test('returns current data after a failed transaction', async () => {
    const store = openStore()
    const { id } = await store.create(rex)
    const readNames = () => [store.get(id)?.name, JSON.parse(store.page({ limit: 1 }).json)[0].name]
    assert.deepEqual(readNames(), ['Rex', 'Rex'])
    await assert.rejects(Promise.all([store.create(rex), store.create({ ...rex, status: 'lost' as 'sold' })]))
    await store.update(id, { name: 'Max' })
    assert.deepEqual(readNames(), ['Max', 'Max'])
  })

  const invalidFiles: Readonly<Record<string, readonly [file: () => string, message: RegExp]>> = {
    'is not a database': [
      () => writeBytes(createFileName(), Buffer.from('Rex, dog, sold\n'.repeat(100))),
      /is not a SQLite database/,
    ],
    'is damaged': [
      () => {
        const file = createFile()
        return writeBytes(file, readFileSync(file).fill(0xff, 100, 200))
      },
      /is damaged: restore a backup/,
    ],
    'was written by a newer version': [
      () => createFile('PRAGMA user_version = 99'),
      /newer version .*schema 99; this one supports 2\): update this/,
    ],
    'was written before 1.0.0': [
      () => createFile('PRAGMA user_version = 1'),
      /before 1\.0\.0 \(schema 1\): export its animals with that version, and import them into a new database/,
    ],
    'was restored from a dump, which has no version': [
      () => createFile('PRAGMA user_version = 0; PRAGMA application_id = 0'),
      /tables of another program/,
    ],
    'belongs to another program': [
      () => createFile('PRAGMA application_id = 7'),
      /tables of another program/,
    ],
  }

  for (const [kind, [file, message]] of Object.entries(invalidFiles))
    test(`rejects a file that ${kind}`, () => {
      const path = file()
      const before = readFileSync(path)
      const database = open(path)
      assert.throws(() => createSqliteStore({ database }), { name: 'StartupError', message })
      assert.throws(
        () => createSqliteStore({ database }),
        ({ message }: Error) => message.includes(path),
      )
      assert.deepEqual(readFileSync(path), before)
    })

  test('reads from a read-only file', async () => {
    const database = open(createFile(), { readOnly: true })
    const store = createSqliteStore({ database })
    assert.deepEqual(store.list({ limit: 1 }), [])
    await assert.rejects(store.create(rex), /cannot be written: check the permissions/)
  })

  test('rejects reads during an import, and delays writes', async () => {
    const store = openStore(createFileName(), { lockTimeoutMs: 200 })
    const other = openStore(store.file)
    const { imported, finish } = startImport(store)
    await assert.rejects(store.create(rex), isUnavailable(/an import is in progress/))
    const creation = store.create({ ...rex, name: 'Max' })
    await nextTurn()
    assert.throws(() => store.list({ limit: 10 }), isUnavailable(/import/))
    assert.throws(() => store.get(1n), StoreUnavailableError)
    assert.deepEqual(other.list({ limit: 10 }), [])
    finish()
    assert.equal(await imported, 1)
    assert.equal((await creation).id, 2n)
    assert.equal(other.list({ limit: 10 }).length, 2)
  })

  const plans = [
    { query: 'get', sql: /SEARCH pets USING INTEGER PRIMARY KEY \(rowid=\?\)/ },
    { query: 'list', sql: /SEARCH pets USING INTEGER PRIMARY KEY \(rowid>\?\)/ },
    { query: 'list by status', sql: /SEARCH pets USING INDEX pets_by_status \(status=\? AND rowid>\?\)/ },
    { query: 'findCreated', sql: /SEARCH creation_keys USING PRIMARY KEY \(token=\?\)/ },
  ]

  test('uses an index for every query', () => {
    const database = open()
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
  })
})

function createFile(sql = ''): string {
  const file = createFileName()
  const database = openTestDatabase(file)
  createSqliteStore({ database })
  database.exec(sql)
  database.close()
  return file
}

function writeBytes(file: string, bytes: Uint8Array): string {
  writeFileSync(file, bytes)
  return file
}

/** Formats a page as ids and statuses. */
function formatPage({ json }: PetPage): string {
  const pets: { id: number; status: string }[] = JSON.parse(json)
  return pets.map(({ id, status }) => `${id} ${status}`).join(', ')
}

function isUnavailable(words: RegExp): (error: unknown) => boolean {
  return (error) => error instanceof StoreUnavailableError && words.test(error.message)
}

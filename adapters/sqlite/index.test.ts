import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { describe } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type PetPage, type PetQuery, StoreUnavailable } from '../../core/index.ts'
import { petStoreContract } from '../contracts/index.ts'
import { createTestKey, firstUse } from '../contracts/pet-store/model.ts'
import { openSqlite } from '../contracts/testing/sqlite.ts'
import { shelterKey } from '../testing/key-records-suite.ts'
import { createSqliteKeyStore, createSqliteStore, type SqliteStore } from './index.ts'
import { newFile, open, rex, startImport, test } from './testing/open.ts'

interface FileStore extends SqliteStore {
  readonly file: string
  exec(sql: string): void
}

function openStore(file = newFile(), options: { lockTimeoutMs?: number } = {}): FileStore {
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
  test('uses a write-ahead log, and syncs it with each commit', () => {
    const database = open()
    createSqliteStore({ database })
    const setting = (name: string) => Object.values(database.prepare(`PRAGMA ${name}`).get() ?? {})
    assert.deepEqual([setting('journal_mode'), setting('synchronous')], [['wal'], [2]])
  })

  /** A change that SQL makes, which is seen from the next turn on. */
  const bySql = (sql: string) => async (store: FileStore) => {
    store.exec(sql)
    await nextTurn()
  }
  const bySqlStatements = {
    change: bySql("UPDATE pets SET status = 'pending' WHERE id = 1"),
    remove: bySql('DELETE FROM pets WHERE id = 2'),
  }
  const byMethods = {
    change: (store: FileStore) => store.update(1n, { status: 'pending' }),
    remove: (store: FileStore) => store.remove(2n),
  }

  for (const { who, other, by } of [
    { who: 'statements on its own connection', other: (store: FileStore) => store, by: bySqlStatements },
    { who: 'another connection', other: ({ file }: FileStore) => openStore(file), by: bySqlStatements },
    { who: 'another store', other: ({ file }: FileStore) => openStore(file), by: byMethods },
  ])
    test(`shows what ${who} of this process has changed, on full pages too`, async () => {
      const store = openStore()
      const changer = other(store)
      for (let i = 0; i < 3; i++) await store.create(rex)
      const shown = (query: Partial<PetQuery> = {}) => idsAndStatuses(store.page({ limit: 2, ...query }))
      assert.deepEqual([shown(), shown({ status: 'sold' })], ['1 sold, 2 sold', '1 sold, 2 sold'])
      assert.equal(store.get(1n), store.get(1n))
      // It looks at the file in the turn of the change, just before it.
      await Promise.all([nextTurn().then(() => shown()), by.change(changer)])
      assert.equal(store.get(1n)?.status, 'pending')
      assert.deepEqual([shown(), shown({ status: 'sold' })], ['1 pending, 2 sold', '2 sold, 3 sold'])
      await by.remove(changer)
      assert.equal(store.get(2n), undefined)
      assert.deepEqual([shown(), shown({ status: 'pending' })], ['1 pending, 3 sold', '1 pending'])
    })

  test('caches at most 1,000 animals', async () => {
    const store = openStore()
    await store.importPets(Array(1_001).fill(rex))
    const first = store.get(1n)
    for (let id = 2n; id <= 1_000n; id++) store.get(id)
    assert.equal(store.get(1n), first)
    store.get(1_001n)
    assert.notEqual(store.get(1n), first)
  })

  const harmless: Readonly<Record<string, (store: FileStore) => Promise<unknown>>> = {
    'a creation': (store) => store.create(rex),
    'a creation with a key': (store) => store.createOnce(rex, createTestKey('a')),
    'a creation with a key that removes an expired one': (store) =>
      store.createOnce(rex, createTestKey('b', 'f', firstUse + 2 * 86_400_000)),
    'an import': (store) => store.importPets([rex]),
    'a check of writes': (store) => store.checkWrites(),
  }

  test('returns the same page object until a change other than a creation', async () => {
    const store = openStore()
    for (let i = 0; i < 3; i++) await store.create(rex)
    const page = store.page({ limit: 2 })
    for (const [kind, change] of Object.entries(harmless)) {
      await change(store)
      assert.equal(store.page({ limit: 2 }), page, kind)
    }
    assert.equal((await store.create(rex)).id, 8n)
    await store.update(1n, { name: 'Max' })
    assert.notEqual(store.page({ limit: 2 }), page)
  })

  test('rejects changes while another connection holds the lock, and recovers', async () => {
    const file = newFile()
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

  test('fails a check of writes only while the file has no room', async () => {
    const database = open()
    const store = createSqliteStore({ database })
    const { page_count } = database.prepare('PRAGMA page_count').get() as { page_count: number } // its row
    database.exec(`PRAGMA max_page_count = ${page_count}`)
    const fill = async (name: string) => {
      for (;;) await store.create({ name, categoryId: 0n })
    }
    for (const name of ['x'.repeat(900), '']) await assert.rejects(fill(name), isUnavailable(/no room left/))
    await assert.rejects(store.checkWrites(), isUnavailable(/no room left/))
    database.exec(`PRAGMA max_page_count = ${page_count + 10}`)
    await store.checkWrites()
  })

  test('shows a change after a rejected creation', async () => {
    const store = openStore()
    const { id } = await store.create(rex)
    const shown = () => [store.get(id)?.name, JSON.parse(store.page({ limit: 1 }).json)[0].name]
    assert.deepEqual(shown(), ['Rex', 'Rex'])
    await assert.rejects(Promise.all([store.create(rex), store.create({ ...rex, status: 'lost' as 'sold' })]))
    await store.update(id, { name: 'Max' })
    assert.deepEqual(shown(), ['Max', 'Max'])
  })

  const invalidFiles: Readonly<Record<string, readonly [file: () => string, message: RegExp]>> = {
    'is not a database': [
      () => withBytes(newFile(), Buffer.from('Rex, dog, sold\n'.repeat(100))),
      /is not a SQLite database/,
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
      /before 1\.0\.0 \(schema 1\): export its animals with that version, and import them into a new one/,
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
    test(`rejects, names and preserves a file that ${kind}`, () => {
      const path = file()
      const before = readFileSync(path)
      const database = open(path)
      assert.throws(() => createSqliteStore({ database }), { name: 'Error', message })
      assert.throws(
        () => createSqliteStore({ database }),
        ({ message }: Error) => message.includes(path),
      )
      assert.deepEqual(readFileSync(path), before)
    })

  test('reads a file that it may not write, and creates nothing in it', async () => {
    const database = open(preparedFile(), { readOnly: true })
    const store = createSqliteStore({ database })
    assert.deepEqual(store.list({ limit: 1 }), [])
    await assert.rejects(store.create(rex), /cannot be written: check the permissions/)
  })

  test('shows an import only after its commit, and creations wait for it', async () => {
    const store = openStore(newFile(), { lockTimeoutMs: 200 })
    const other = openStore(store.file)
    const { imported, finish } = startImport(store)
    await assert.rejects(store.create(rex), isUnavailable(/an import is under way/))
    const creation = store.create({ ...rex, name: 'Max' })
    await nextTurn()
    assert.throws(() => store.list({ limit: 10 }), isUnavailable(/import/))
    assert.throws(() => store.get(1n), StoreUnavailable)
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

  test('runs each query on an index, and sorts nothing', () => {
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

function preparedFile(sql = ''): string {
  const file = newFile()
  const database = openSqlite(file)
  createSqliteStore({ database })
  database.exec(sql)
  database.close()
  return file
}

function withBytes(file: string, bytes: Uint8Array): string {
  writeFileSync(file, bytes)
  return file
}

/** Returns the ids and statuses of a page. */
function idsAndStatuses({ json }: PetPage): string {
  const pets: { id: number; status: string }[] = JSON.parse(json)
  return pets.map(({ id, status }) => `${id} ${status}`).join(', ')
}

function isUnavailable(words: RegExp): (error: unknown) => boolean {
  return (error) => error instanceof StoreUnavailable && words.test(error.message)
}

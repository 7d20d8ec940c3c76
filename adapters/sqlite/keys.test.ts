import assert from 'node:assert/strict'
import { StoreUnavailable } from '../../core/index.ts'
import { keyStoreContract } from '../contracts/index.ts'
import { testWith } from '../contracts/testing/part.ts'
import { openSqlite, sqlite, temporaryFiles } from '../contracts/testing/sqlite.ts'
import { createSqliteKeyStore, createSqliteStore, type SqliteKeyStore } from '../sqlite.ts'
import { keyRecordsSuite, recordsNow, shelterKey as shelter } from '../testing/key-records-suite.ts'
import { scriptDatabase } from './testing/scripted-database.ts'

const test = testWith(sqlite)
const newFile = temporaryFiles()
const clock = () => recordsNow

interface FileKeyStore extends SqliteKeyStore {
  readonly file: string
  exec(sql: string): void
  close(): void
}

function openKeys(
  file = newFile(),
  options: { clock?: () => number; lockTimeoutMs?: number } = {},
): FileKeyStore {
  const database = openSqlite(file)
  const exec = (sql: string) => void database.exec(sql)
  return {
    ...createSqliteKeyStore({ database, clock, ...options }),
    file,
    exec,
    close: () => database.close(),
  }
}

/** Revokes a key through another connection, as a command does. */
async function revoke(file: string, hash: string): Promise<void> {
  const keys = openKeys(file)
  await keys.update({ sha256: hash }, (found) =>
    found.map((key) => ({ ...key, revokedAt: new Date(recordsNow).toISOString() })),
  )
  keys.close()
}

keyStoreContract({
  test,
  createStore: (setup) => openKeys(newFile(), setup),
  addKey: async (keys, key) => void (await keys.update({ id: key.id }, () => [key])),
  revokeKey: ({ file }, hash) => revoke(file, hash),
  closeStore: (keys) => keys.close(),
})

keyRecordsSuite(test, () => {
  const records = openKeys()
  const other = openKeys(records.file)
  const close = () => [records, other].map((keys) => keys.close())
  return { records, other, close }
})

test('a key that another connection revokes is not found from the next lookup on', async () => {
  const keys = openKeys()
  await keys.update({ id: 'shelter' }, () => [shelter])
  assert.ok(keys.find('a-key'))
  await revoke(keys.file, shelter.sha256)
  assert.equal(keys.find('a-key'), undefined)
  keys.close()
})

test('a change waits for a lock as long as options.lockTimeoutMs, and is StoreUnavailable then', async () => {
  const keys = openKeys(newFile(), { lockTimeoutMs: 0 })
  const other = openKeys(keys.file)
  other.exec('BEGIN IMMEDIATE')
  await assert.rejects(
    keys.update({ id: 'shelter' }, () => [shelter]),
    StoreUnavailable,
  )
  assert.equal(keys.find('a-key'), undefined) // lookups do not wait
  other.exec('ROLLBACK')
  await keys.update({ id: 'shelter' }, () => [shelter])
  assert.ok(keys.find('a-key'))
  keys.close()
  other.close()
})

test('shares a connection with a store of animals', async () => {
  const database = openSqlite(newFile())
  const keys = createSqliteKeyStore({ database, clock })
  const store = createSqliteStore({ database })
  await Promise.all([
    store.create({ name: 'Rex', categoryId: 1n }),
    keys.update({ id: 'shelter' }, () => [shelter]),
    store.create({ name: 'Ada', categoryId: 1n }),
  ])
  assert.equal(store.list({ limit: 10 }).length, 2)
  assert.ok(keys.find('a-key'))
  database.close()
})

test('a failure that may pass is StoreUnavailable', () => {
  const database = scriptDatabase()
  const keys = createSqliteKeyStore({ database })
  database.failure = () => 'disk I/O error'
  assert.throws(() => keys.find('a-key'), StoreUnavailable)
  assert.throws(() => keys.list(), StoreUnavailable)
  assert.throws(() => keys.count(0), StoreUnavailable)
})

test('an invalid option is named', () => {
  const database = scriptDatabase()
  // @ts-expect-error: a caller in JavaScript may pass it
  assert.throws(() => createSqliteKeyStore({}), /options\.database/)
  assert.throws(() => createSqliteKeyStore({ database, lockTimeoutMs: -1 }), /options\.lockTimeoutMs/)
  // @ts-expect-error: likewise
  assert.throws(() => createSqliteKeyStore({ database, cache: 5 }), /options\.cache is no option/)
})

test('fake timers move the expiry of a stored key', async (t) => {
  const database = openSqlite(newFile())
  const keys = createSqliteKeyStore({ database })
  await keys.update({ id: 'shelter' }, () => [shelter])
  const expiry = Date.parse(shelter.expiresAt ?? '')
  t.mock.timers.enable({ apis: ['Date'], now: expiry - 1 })
  assert.equal(keys.find('a-key')?.id, 'shelter')
  t.mock.timers.setTime(expiry)
  assert.equal(keys.find('a-key'), undefined)
  database.close()
})

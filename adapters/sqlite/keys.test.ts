import assert from 'node:assert/strict'
import { describe } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { keyStoreContract } from '../contracts/index.ts'
import { keyRecordsSuite, recordsNow, shelterKey as shelter } from '../testing/key-records-suite.ts'
import { createSqliteKeyStore, createSqliteStore, type SqliteKeyStore } from './index.ts'
import { newFile, open, rex, startImport, test } from './testing/open.ts'

const clock = () => recordsNow

function openKeys(file = newFile(), options = { clock }): SqliteKeyStore & { readonly file: string } {
  return { ...createSqliteKeyStore({ database: open(file), ...options }), file }
}

/** Revokes a key through another connection, as a command does. */
async function revoke(file: string, hash: string): Promise<void> {
  await openKeys(file).update({ sha256: hash }, (found) =>
    found.map((key) => ({ ...key, revokedAt: new Date(recordsNow).toISOString() })),
  )
}

keyStoreContract({
  test,
  create: (setup) => openKeys(newFile(), setup),
  addKey: async (keys, key) => void (await keys.update({ id: key.id }, () => [key])),
  revokeKey: ({ file }, hash) => revoke(file, hash),
})

keyRecordsSuite(test, () => {
  const records = openKeys()
  return { records, other: openKeys(records.file), close() {} }
})

describe('keys in SQLite', () => {
  test('are not found by the next lookup after another connection revokes them', async () => {
    const keys = openKeys()
    await keys.update({ id: 'shelter' }, () => [shelter])
    assert.ok(keys.find('a-key'))
    await revoke(keys.file, shelter.sha256)
    assert.equal(keys.find('a-key'), undefined)
  })

  test('wait for an import on the same connection before they change', async () => {
    const database = open()
    const store = createSqliteStore({ database })
    const keys = createSqliteKeyStore({ database, clock })
    const { imported, finish } = startImport(store)
    const changed = keys.update({ id: 'shelter' }, () => [shelter])
    await setTimeout(30)
    assert.equal(keys.find('a-key'), undefined)
    finish()
    assert.equal(await imported, 1)
    assert.deepEqual(await changed, [shelter])
  })

  test('reject no creation of the same turn if a change fails', async () => {
    const database = open()
    const store = createSqliteStore({ database })
    const keys = createSqliteKeyStore({ database, clock })
    const invalid = () => [{ ...shelter, sha256: 'no hash' }]
    const failing = assert.rejects(keys.update({ id: 'shelter' }, invalid), /must be 64/)
    assert.equal((await store.create(rex)).id, 1n)
    await failing
  })
})

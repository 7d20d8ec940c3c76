import assert from 'node:assert/strict'
import { describe } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { keyStoreContract } from '../contracts/index.ts'
import { recordsTime, shelterKey as shelter, testKeyRecords } from '../testing/key-records-suite.ts'
import { createSqliteKeyStore, createSqliteStore, type SqliteKeyStore } from './index.ts'
import { createFileName, open, rex, startImport, test } from './testing/open.ts'

const clock = () => recordsTime

function openKeys(file = createFileName(), options = { clock }): SqliteKeyStore & { readonly file: string } {
  return { ...createSqliteKeyStore({ database: open(file), ...options }), file }
}

/** Revokes a key over another connection. */
async function revoke(file: string, hash: string): Promise<void> {
  await openKeys(file).update({ sha256: hash }, (found) =>
    found.map((key) => ({ ...key, revokedAt: new Date(recordsTime).toISOString() })),
  )
}

keyStoreContract({
  test,
  create: (setup) => openKeys(createFileName(), setup),
  addKey: async (keys, key) => void (await keys.update({ id: key.id }, () => [key])),
  revokeKey: ({ file }, hash) => revoke(file, hash),
})

testKeyRecords(test, () => {
  const records = openKeys()
  return { records, other: openKeys(records.file), close() {} }
})

describe('the SQLite key store', () => {
  test('rejects a revoked key immediately', async () => {
    const keys = openKeys()
    await keys.update({ id: 'shelter' }, () => [shelter])
    assert.ok(keys.find('a-key'))
    await revoke(keys.file, shelter.sha256)
    assert.equal(keys.find('a-key'), undefined)
  })

  test('waits for an import before it changes keys', async () => {
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

  test('does not affect creations when a key change fails', async () => {
    const database = open()
    const store = createSqliteStore({ database })
    const keys = createSqliteKeyStore({ database, clock })
    const invalid = () => [{ ...shelter, sha256: 'no hash' }]
    const failing = assert.rejects(keys.update({ id: 'shelter' }, invalid), /must be 64/)
    assert.equal((await store.create(rex)).id, 1n)
    await failing
  })
})

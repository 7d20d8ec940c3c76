import assert from 'node:assert/strict'
import { keyStoreContract } from '../contracts/index.ts'
import { keyRecordsSuite, recordsNow, shelterKey as shelter } from '../testing/key-records-suite.ts'
import { createSqliteKeyStore, type SqliteKeyStore } from './index.ts'
import { newFile, open, test } from './testing/open.ts'

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

test('a key that another connection revokes is not found from the next lookup on', async () => {
  const keys = openKeys()
  await keys.update({ id: 'shelter' }, () => [shelter])
  assert.ok(keys.find('a-key'))
  await revoke(keys.file, shelter.sha256)
  assert.equal(keys.find('a-key'), undefined)
})

test('a change that fails rejects no other one of its turn', async () => {
  const keys = openKeys()
  const invalid = () => [{ ...shelter, sha256: 'no hash' }]
  const failing = assert.rejects(keys.update({ id: 'shelter' }, invalid), /must be 64/)
  assert.deepEqual(await keys.update({ id: 'shelter' }, () => [shelter]), [shelter])
  await failing
})

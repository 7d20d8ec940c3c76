import assert from 'node:assert/strict'
import { keyStoreContract } from '../contracts/index.ts'
import { createSqliteKeyStore, type SqliteKeyStore } from '../sqlite.ts'
import { keyRecordsSuite, recordsNow, shelterKey as shelter } from '../testing/key-records-suite.ts'
import { newFile, open, test } from './testing/open.ts'

const clock = () => recordsNow

function openKeys(
  file = newFile(),
  options: { clock?: () => number } = {},
): SqliteKeyStore & { readonly file: string } {
  return { ...createSqliteKeyStore({ database: open(file), clock, ...options }), file }
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

test('fake timers move the expiry of a stored key', async (t) => {
  const database = open()
  const keys = createSqliteKeyStore({ database })
  await keys.update({ id: 'shelter' }, () => [shelter])
  const expiry = Date.parse(shelter.expiresAt ?? '')
  t.mock.timers.enable({ apis: ['Date'], now: expiry - 1 })
  assert.equal((await keys.find('a-key'))?.id, 'shelter')
  t.mock.timers.setTime(expiry)
  assert.equal(keys.find('a-key'), undefined)
})

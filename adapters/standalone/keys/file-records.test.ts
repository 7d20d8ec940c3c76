import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { type KeyRecord, sha256 } from '../../../core/index.ts'
import { keyStoreContract } from '../../contracts/index.ts'
import { temporaryFolder } from '../../contracts/testing/temporary-folder.ts'
import { keyRecordsSuite } from '../../testing/key-records-suite.ts'
import { createFileRecords } from './file-records.ts'
import { type KeysFile, openKeysFile } from './keys-file.ts'

const folder = temporaryFolder()
let count = 0
const newPath = () => join(folder, `${++count}.json`)
function newPathWithoutKeys(): string {
  const path = newPath()
  writeFileSync(path, '{ "keys": [] }')
  return path
}

const first: KeyRecord = { id: 'first', sha256: sha256('1'), plan: 'pro', createdAt: '2026-02-01' }
const second: KeyRecord = { id: 'second', sha256: sha256('2'), plan: 'free', label: 'of the second' }
const older: KeyRecord = { ...first, sha256: sha256('0'), createdAt: '2026-01-01' }

interface WatchedFile extends KeysFile {
  readonly path: string
}

keyStoreContract({
  test,
  createStore({ clock }): WatchedFile {
    const path = newPathWithoutKeys()
    const file = openKeysFile(path, clock)
    return Object.assign(file, { path })
  },
  async addKey(file, key) {
    await createFileRecords(file.path).update({ id: key.id }, () => [key])
    if (await file.hasChanged()) file.reload()
  },
  async revokeKey(file, hash) {
    await createFileRecords(file.path).update({ sha256: hash }, (keys) =>
      keys.map((key) => ({ ...key, revokedAt: '2026-11-20' })),
    )
    if (await file.hasChanged()) file.reload()
  },
})

keyRecordsSuite(test, () => ({ records: createFileRecords(newPathWithoutKeys()), close() {} }))

test('the first change creates the file, and later ones keep what is there', async () => {
  const path = newPath()
  const records = createFileRecords(path)
  assert.deepEqual(await records.update({ id: 'first' }, () => [first]), [first])
  await records.update({ id: 'second' }, () => [second])
  await records.update({ id: 'first' }, (keys) => [{ ...keys[0], ...first, label: 'changed' }, older])
  assert.deepEqual(JSON.parse(readFileSync(path, 'utf8')), {
    version: 2,
    keys: [{ ...first, label: 'changed' }, second, older],
  })
})

test('a file has the lowest version that its members need', async () => {
  const path = newPath()
  const records = createFileRecords(path)
  const { createdAt, ...plain } = first
  await records.update({ id: 'first' }, () => [plain])
  assert.deepEqual(JSON.parse(readFileSync(path, 'utf8')), { keys: [plain] })
})

test('a file of a newer version is listed, and not written', async () => {
  const path = newPath()
  const text = JSON.stringify({ version: 3, keys: [{ ...first, scope: 'read' }] })
  writeFileSync(path, text)
  const warnings: string[] = []
  const records = createFileRecords(path, (message) => warnings.push(message))
  assert.deepEqual(records.list(), [first])
  assert.match(warnings.join(), /has version 3: keys\[0\]\.scope is ignored/)
  await assert.rejects(
    records.update({ id: 'x' }, () => [second]),
    /change it with the program that wrote it/,
  )
  assert.equal(readFileSync(path, 'utf8'), text)
})

test('an invalid file is not changed, and a missing one is not listed', async () => {
  const path = newPath()
  writeFileSync(path, '{ "keys": [ {} ] }')
  const records = createFileRecords(path)
  const message = `keys file ${path}: keys[0].id must be a string that names the caller`
  await assert.rejects(
    records.update({ id: 'first' }, () => [first]),
    { name: 'StartError', message },
  )
  assert.throws(() => records.list(), { name: 'StartError', message })
  assert.throws(() => createFileRecords(newPath()).list(), /there is no such file; keys issue creates it/)
})

test('a folder that does not exist is named', async () => {
  const path = join(folder, 'none', 'keys.json')
  await assert.rejects(
    createFileRecords(path).update({ id: 'first' }, () => [first]),
    { name: 'CommandError', message: `keys file ${path}: its folder does not exist: create it first` },
  )
})

test('a folder in place of the file is refused', async () => {
  const path = newPath()
  mkdirSync(path)
  await assert.rejects(
    createFileRecords(path).update({ id: 'first' }, () => [first]),
    /it is a directory/,
  )
})

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { type KeyRecord, sha256 } from '../../../core/index.ts'
import { keyStoreContract } from '../../contracts/index.ts'
import { temporaryFiles } from '../../contracts/testing/sqlite.ts'
import { lacks } from '../../testing/machine.ts'
import { type KeysFile, openKeysFile } from './keys-file.ts'
import { createKeyCounter } from './open-keys.ts'

const newFile = temporaryFiles()
const clock = () => Date.parse('2027-01-01T00:00:00Z')

/** Returns the path of a file with a text, or with a document. */
function fileWith(content: unknown): string {
  const path = newFile('keys.json')
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
  return path
}

function open(path: string, now = clock): { file: KeysFile; logged: string[] } {
  const logged: string[] = []
  const add = (_event: string, message: string) => void logged.push(message)
  return { file: openKeysFile(path, now, { info: add, warning: add, error: add }), logged }
}

const first: KeyRecord = { id: 'first', sha256: sha256('1'), plan: 'pro', createdAt: '2026-02-01' }
const second: KeyRecord = { id: 'second', sha256: sha256('2'), plan: 'free', label: 'of the second' }
const older: KeyRecord = { ...first, sha256: sha256('0'), createdAt: '2026-01-01' }

const opened = new WeakMap<object, { path: string; file: KeysFile }>()
async function change(store: object, changed: (keys: readonly KeyRecord[]) => readonly KeyRecord[]) {
  const { path, file } = opened.get(store) ?? assert.fail()
  const { keys } = JSON.parse(readFileSync(path, 'utf8'))
  writeFileSync(path, JSON.stringify({ keys: changed(keys) }))
  file.reload()
}

keyStoreContract({
  test,
  createStore({ clock }) {
    const path = fileWith({ keys: [] })
    const { file } = open(path, clock)
    opened.set(file.store, { path, file })
    return file.store
  },
  addKey: (store, key) => change(store, (keys) => [...keys, key]),
  revokeKey: (store, hash) =>
    change(store, (keys) =>
      keys.map((key) => (key.sha256 === hash ? { ...key, revokedAt: '2026-11-20' } : key)),
    ),
})

test('a file that has changed is read again, and one that has become bad keeps the keys and says so', async () => {
  const path = fileWith(`\ufeff${JSON.stringify({ keys: [first] })}`)
  const { file, logged } = open(path)
  writeFileSync(path, JSON.stringify({ keys: [second, { ...older, expiresAt: '2027-01-01T00:00:00Z' }] }))
  assert.ok(file.store.find('1'))
  await file.check()
  await file.check()
  assert.equal(file.store.find('1'), undefined)
  assert.deepEqual(file.store.find('2'), { id: 'second', plan: 'free' })
  const { issued, inForce, loadedAt } = file.figures() ?? assert.fail()
  assert.deepEqual([issued, inForce, loadedAt], [2, 1, clock()])
  writeFileSync(path, '{ "keys": [')
  await file.check()
  assert.ok(file.store.find('2'))
  writeFileSync(path, '{ "keys": [] }')
  file.reload()
  assert.deepEqual(logged, [
    `read 1 key from ${path}`,
    `read 2 keys from ${path}`,
    `keys file ${path}: it ends before its JSON does; the keys read before stay valid`,
    `${path} has no keys: every request is rejected with 401; keygen prints a record to add`,
  ])
})

test('keys are counted by what is valid at a time, with when the next caller has no key any more', () => {
  const key = (id: string, number: string, more: Partial<KeyRecord> = {}) =>
    ({ id, sha256: number.padEnd(64, '0'), plan: 'free', ...more }) as const
  const count = createKeyCounter([
    key('forever', '000001'),
    key('forever', '000010', { expiresAt: '1970-01-01T00:00:01Z' }),
    key('ending', '000100', { expiresAt: '1970-01-01T00:00:02Z' }),
    key('ending', '001000', { expiresAt: '1970-01-01T00:00:01Z' }),
    key('ended', '010000', { expiresAt: '1970-01-01T00:00:01Z', revokedAt: '1970-01-01' }),
  ])
  assert.deepEqual(count(0), { issued: 5, inForce: 4, fingerprint: 0x1111, nextExpiry: 2000 })
  assert.deepEqual(count(1000), { issued: 5, inForce: 2, fingerprint: 0x101, nextExpiry: 2000 })
  assert.deepEqual(count(2000), { issued: 5, inForce: 1, fingerprint: 1 })
})

const notObject = 'must be an object { "keys": [ … ] }'
for (const [content, problem] of [
  ['', 'it ends before its JSON does'],
  ['{ \n "keys": [ \n {"id":', 'it ends before its JSON does'],
  ['{ \n "keys": [ \n {}, \n ] \n }', 'line 4 is not JSON'],
  ['{ \n "keys": [ \n {} \n {} \n ] \n }', 'line 4 is not JSON'],
  ['{ \n "keys: [ \n ] \n }', 'line 2 is not JSON'],
  ['{ \n "keys": [] \n } \n x', 'line 4 is not JSON'],
  [[], notObject],
  ['null', notObject],
  [{ keys: [], plans: [] }, '"plans" is not a member of it: only "version" and "keys" are'],
  [{ version: '2', keys: [] }, 'version must be a whole number from 1'],
  [{ version: 2, keys: [{ ...first, expriesAt: '2027-01-01' }] }, 'keys[0].expriesAt is no member of a key'],
  [{ keys: {} }, 'keys must be an array'],
  [{ keys: [first, {}] }, 'keys[1].id must be a string that names the caller'],
] as const) {
  test(`the message for a bad file names its first invalid place: ${JSON.stringify(content)}`, () => {
    const path = fileWith(content)
    assert.throws(() => open(path), { name: 'StartError', message: `keys file ${path}: ${problem}` })
  })
}

test('a file of a newer version is read without its unknown members', () => {
  const { file } = open(fileWith({ version: 3, scopes: [], keys: [{ ...first, scope: 'read' }] }))
  assert.ok(file.store.find('1'))
})

test('the message for a file that cannot be read names the reason', () => {
  const [missing, large] = [newFile('missing.json'), fileWith('')]
  truncateSync(large, 2 ** 30)
  for (const [path, reason] of [
    [missing, 'there is no such file'],
    [large, 'it is larger than 16 MiB'],
    [join(missing, '..'), 'it is a directory'],
  ] as const)
    assert.throws(() => open(path), { message: `keys file ${path}: ${reason}` })
})

test('a pipe is rejected without waiting', { skip: lacks.pipes }, () => {
  const pipe = newFile('pipe')
  execFileSync('mkfifo', [pipe])
  for (const path of [pipe, '/dev/zero'])
    assert.throws(() => open(path), {
      message: `keys file ${path}: it is a pipe or a device, not a file`,
    })
})

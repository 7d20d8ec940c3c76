import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { temporaryFolder } from '../../contracts/testing/temporary-folder.ts'
import { lacks } from '../../testing/machine.ts'
import { recordOf } from './key.ts'
import { openKeysFile } from './keys-file.ts'

const folder = temporaryFolder()
const path = join(folder, 'keys.json')

const first = recordOf('first', 'key-of-first', { plan: 'pro' })
const second = recordOf('second', 'key-of-second', { plan: 'enterprise', limits: { minute: 5, day: 50 } })

function open(content: unknown): ReturnType<typeof openKeysFile> {
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
  return openKeysFile(path, () => Date.parse('2027-01-01T00:00:00Z'))
}

test('the keys of a file are valid until they expire', () => {
  const keys = open({ keys: [first, { ...second, expiresAt: '2027-01-01T00:00:00Z' }] })
  const { issued, inForce } = keys.count(Date.parse('2027-01-01T00:00:00Z'))
  assert.deepEqual({ issued, inForce }, { issued: 2, inForce: 1 })
  assert.deepEqual(keys.find('key-of-first'), { id: 'first', plan: 'pro' })
  assert.equal(keys.find('key-of-second'), undefined)
  assert.equal(keys.find('another'), undefined)
})

test('a byte order mark is skipped', () => {
  assert.equal(open(`\ufeff${JSON.stringify({ keys: [first] })}`).count(0).issued, 1)
})

test('reading a file again replaces all keys', () => {
  const keys = open({ keys: [first] })
  writeFileSync(path, JSON.stringify({ keys: [second] }))
  assert.equal(keys.find('key-of-second'), undefined)
  keys.reload()
  assert.equal(keys.find('key-of-first'), undefined)
  assert.deepEqual(keys.find('key-of-second'), {
    id: 'second',
    plan: 'enterprise',
    limits: { minute: 5, day: 50 },
  })
})

test('a file that has become bad changes nothing', () => {
  const keys = open({ keys: [first] })
  writeFileSync(path, '{ "keys": [')
  assert.throws(() => keys.reload(), { name: 'StartError' })
  assert.equal(keys.count(0).issued, 1)
  assert.ok(keys.find('key-of-first'))
})

const lines = (text: string) => text.replaceAll(' / ', '\n')

for (const [problem, content, message] of [
  ['an empty file', '', 'it ends before its JSON does'],
  ['a file that is cut off', lines('{ / "keys": [ / {"id":'), 'it ends before its JSON does'],
  ['a comma too many', lines('{ / "keys": [ / {}, / ] / }'), 'line 4 is not JSON'],
  ['a comma too few', lines('{ / "keys": [ / {} / {} / ] / }'), 'line 4 is not JSON'],
  ['a string without its end', lines('{ / "keys: [ / ] / }'), 'line 2 is not JSON'],
  ['something behind the document', lines('{ / "keys": [] / } / x'), 'line 4 is not JSON'],
  ['a list', [], 'must be an object { "keys": [ … ] }'],
  ['nothing', 'null', 'must be an object { "keys": [ … ] }'],
  ['another member', { keys: [], plans: [] }, '"plans" is not a member of it: only "version" and "keys" are'],
  ['a version that is no number', { version: '2', keys: [] }, 'version must be a whole number from 1'],
  [
    'a misspelt member in a file of this version',
    { version: 2, keys: [{ ...first, expriesAt: '2027-01-01' }] },
    'keys[0].expriesAt is no member of a key',
  ],
  ['keys that are no list', { keys: {} }, 'keys must be an array'],
  [
    'an unknown member of a key',
    { keys: [first, { ...second, key: 'x' }] },
    'keys[1].key is no member of a key: give its "sha256" instead',
  ],
  [
    'a limit that is too large',
    { keys: [{ ...second, limits: { minute: 5, day: 1_000_000_000 } }] },
    'keys[0].limits must be { "minute": N, "day": N }, whole numbers from 1 to 100000000, only with the plan enterprise',
  ],
  [
    'an id with two plans',
    { keys: [first, { ...second, id: 'first' }] },
    'keys[1].id is that of an earlier key with another plan or other limits',
  ],
  [
    'a repeated hash',
    { keys: [first, { ...first, id: 'other' }] },
    'keys[1].sha256 is that of an earlier key',
  ],
] as const) {
  test(`the message names the first invalid place: ${problem}`, () => {
    assert.throws(() => open(content), { name: 'StartError', message: `keys file ${path}: ${message}` })
  })
}

test('a file of a newer version is read without its unknown members, which a warning names', () => {
  writeFileSync(path, JSON.stringify({ version: 3, scopes: [], keys: [{ ...first, scope: 'read' }] }))
  const warnings: string[] = []
  const keys = openKeysFile(path, Date.now, (message) => warnings.push(message))
  assert.ok(keys.find('key-of-first'))
  assert.deepEqual(warnings, [`keys file ${path} has version 3: scopes and 1 more are ignored`])
})

test('the message for a file that cannot be read names the reason', () => {
  const missing = join(folder, 'missing.json')
  assert.throws(() => openKeysFile(missing, Date.now), {
    message: `keys file ${missing}: there is no such file; keys issue creates it`,
  })
  assert.throws(() => openKeysFile(folder, Date.now), { message: `keys file ${folder}: it is a directory` })
})

test('a file that is too large is not read', () => {
  const large = join(folder, 'large.json')
  writeFileSync(large, '')
  truncateSync(large, 2 ** 30)
  assert.throws(() => openKeysFile(large, Date.now), {
    message: `keys file ${large}: it is larger than 16 MiB`,
  })
})

test('a pipe is rejected without waiting', { skip: lacks.pipes }, () => {
  const pipe = join(folder, 'pipe')
  execFileSync('mkfifo', [pipe])
  for (const path of [pipe, '/dev/zero'])
    assert.throws(() => openKeysFile(path, Date.now), {
      message: `keys file ${path}: it is a pipe or a device, not a file`,
    })
})

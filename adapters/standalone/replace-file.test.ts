import assert from 'node:assert/strict'
import {
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { finished } from 'node:stream/promises'
import { test } from 'node:test'
import { temporaryFolder } from '../contracts/testing/temporary-folder.ts'
import { lacks } from '../testing/machine.ts'
import { changeFile, writeNewFile } from './replace-file.ts'

const folder = temporaryFolder()
let count = 0
/** Returns a path in a folder of its own. */
function newPath(): string {
  const own = join(folder, String(++count))
  mkdirSync(own)
  return join(own, 'keys.json')
}

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8)

test('a new file can be read by its owner only, and nothing else is left', {
  skip: lacks.modes,
}, async () => {
  const path = newPath()
  await changeFile(path, (existing) => {
    assert.equal(existing, undefined)
    return 'new'
  })
  assert.deepEqual([readFileSync(path, 'utf8'), modeOf(path)], ['new', '600'])
  assert.deepEqual(readdirSync(join(path, '..')), ['keys.json'])
})

test('a file that exists is replaced by another one, with the same mode', { skip: lacks.modes }, async () => {
  const path = newPath()
  writeFileSync(path, 'old', { mode: 0o640 })
  const { ino } = statSync(path)
  await changeFile(path, (existing) => `${readFileSync(existing ?? '', 'utf8')} and new`)
  assert.deepEqual([readFileSync(path, 'utf8'), modeOf(path)], ['old and new', '640'])
  assert.notEqual(statSync(path).ino, ino)
})

test('a file retains its owner', { skip: process.getuid?.() !== 0 && 'requires root' }, async () => {
  const path = newPath()
  writeFileSync(path, 'old')
  chownSync(path, 12_345, 23_456)
  await changeFile(path, () => 'new')
  const { uid, gid } = statSync(path)
  assert.deepEqual([readFileSync(path, 'utf8'), uid, gid], ['new', 12_345, 23_456])
})

test('a change that throws, or has no content, leaves the file as it is', async () => {
  const path = newPath()
  writeFileSync(path, 'old')
  const refuse = () => {
    throw new RangeError('refused')
  }
  await assert.rejects(changeFile(path, refuse), RangeError)
  await changeFile(path, () => undefined)
  assert.equal(readFileSync(path, 'utf8'), 'old')
  assert.deepEqual(readdirSync(join(path, '..')), ['keys.json'])
})

test('changes at once are made one after the other, also those through a link', {
  skip: lacks.links,
}, async () => {
  const path = newPath()
  const link = join(path, '..', 'link.json')
  writeFileSync(path, '')
  symlinkSync('keys.json', link)
  const add = (i: number) =>
    changeFile(i % 2 ? path : link, (existing) => `${readFileSync(existing ?? '', 'utf8')}${i};`)
  await Promise.all(Array.from({ length: 10 }, (_, i) => add(i)))
  assert.equal(readFileSync(path, 'utf8').split(';').filter(Boolean).length, 10)
  assert.equal(readFileSync(link, 'utf8'), readFileSync(path, 'utf8'))
})

test('changes that create the file at once lose none', async () => {
  const path = newPath()
  const add = (i: number) =>
    changeFile(path, (existing) => `${existing === undefined ? '' : readFileSync(existing, 'utf8')}${i};`)
  await Promise.all(Array.from({ length: 10 }, (_, i) => add(i)))
  assert.equal(readFileSync(path, 'utf8').split(';').filter(Boolean).length, 10)
})

test('a lock that stays is named, and is not removed', async () => {
  const path = newPath()
  writeFileSync(`${path}.lock`, '')
  const lock = join(path, '..', 'keys.json.lock')
  await assert.rejects(
    changeFile(path, () => 'new', { waitMs: 0 }),
    {
      name: 'CommandError',
      message: `${lock} exists, so another command is changing the file: wait for it, or remove ${lock} if none is running`,
    },
  )
  assert.ok(existsSync(lock))
  assert.ok(!existsSync(path))
})

test('a link to no file is refused', { skip: lacks.links }, async () => {
  const path = newPath()
  symlinkSync('nowhere', path)
  await assert.rejects(
    changeFile(path, () => 'new'),
    /is a link to a file that does not exist/,
  )
})

test('a file stays as it was until the new one is complete', async () => {
  const path = newPath()
  writeFileSync(path, 'old')
  await writeNewFile(path, async (output) => {
    output.write('new')
    assert.equal(readFileSync(path, 'utf8'), 'old')
    await finished(output.end())
    assert.equal(readFileSync(path, 'utf8'), 'old')
  })
  assert.equal(readFileSync(path, 'utf8'), 'new')
})

test('what fails in the middle leaves the older file, and no part of the new one', async () => {
  const path = newPath()
  writeFileSync(path, 'old')
  const full = new Error('the disk is full')
  await assert.rejects(
    writeNewFile(path, async (output) => {
      output.write('new')
      throw full
    }),
    full,
  )
  assert.equal(readFileSync(path, 'utf8'), 'old')
  assert.deepEqual(readdirSync(join(path, '..')), ['keys.json'])
})

test('a device is written to, and not replaced', { skip: lacks.devices }, async () => {
  await writeNewFile('/dev/null', async (output) => finished(output.end('animals')))
  assert.deepEqual(
    readdirSync('/dev').filter((name) => name.startsWith('null.')),
    [],
  )
})

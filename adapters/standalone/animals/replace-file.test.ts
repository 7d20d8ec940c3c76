import assert from 'node:assert/strict'
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import type { Writable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { test } from 'node:test'
import { temporaryFolder } from '../../contracts/testing/temporary-folder.ts'
import { lacks } from '../../testing/machine.ts'
import { renameOver, writeNewFile } from './replace-file.ts'

const folder = temporaryFolder()
let count = 0
/** Returns a path in a folder of its own. */
function newPath(): string {
  const own = join(folder, String(++count))
  mkdirSync(own)
  return join(own, 'animals.ndjson')
}

const writeText = (text: string) => (output: Writable) => finished(output.end(text))

test('a file can be read by its owner only, also where others could read the older one, and nothing else is left', {
  skip: lacks.modes,
}, async () => {
  const path = newPath()
  for (const text of ['new', 'newer']) {
    await writeNewFile(path, writeText(text))
    const mode = (statSync(path).mode & 0o777).toString(8)
    assert.deepEqual([readFileSync(path, 'utf8'), mode], [text, '600'])
    assert.deepEqual(readdirSync(join(path, '..')), ['animals.ndjson'])
    chmodSync(path, 0o644)
  }
})

test('a link is followed', { skip: lacks.links }, async () => {
  const path = newPath()
  const link = join(path, '..', 'link')
  writeFileSync(path, 'old')
  symlinkSync('animals.ndjson', link)
  await writeNewFile(link, writeText('new'))
  assert.deepEqual([readFileSync(path, 'utf8'), readlinkSync(link)], ['new', 'animals.ndjson'])
})

test('a file stays as it was until the new one is complete, and if that fails in the middle, whose part is removed', async () => {
  const path = newPath()
  writeFileSync(path, 'old')
  const full = new Error('the disk is full')
  const failing = writeNewFile(path, async (output) => {
    await finished(output.end('new'))
    assert.equal(readFileSync(path, 'utf8'), 'old')
    throw full
  })
  await assert.rejects(failing, full)
  assert.equal(readFileSync(path, 'utf8'), 'old')
  assert.deepEqual(readdirSync(join(path, '..')), ['animals.ndjson'])
})

test('a device is written to, and not replaced', { skip: lacks.devices }, async () => {
  await writeNewFile('/dev/null', async (output) => finished(output.end('animals')))
  assert.deepEqual(
    readdirSync('/dev').filter((name) => name.startsWith('null.')),
    [],
  )
})

test('a file that another program has open is replaced on Windows once it is closed', async () => {
  let codes = ['EPERM', 'EACCES', 'EBUSY']
  const rename = async () => {
    const code = codes.pop()
    if (code !== undefined) throw Object.assign(new Error(`${code}: rename`), { code })
  }
  await renameOver('a', 'b', rename, 4)
  codes = ['EPERM', 'EPERM', 'EPERM']
  await assert.rejects(renameOver('a', 'b', rename, 2), /^Error: another program has b open: close it/)
  await assert.rejects(renameOver('a', 'b', rename, 1), { code: 'EPERM' })
})

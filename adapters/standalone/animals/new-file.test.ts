import assert from 'node:assert/strict'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { finished } from 'node:stream/promises'
import { test } from 'node:test'
import { temporaryFiles } from '../../contracts/testing/sqlite.ts'
import { lacks } from '../../testing/machine.ts'
import { writeNewFile } from './new-file.ts'

const newFile = temporaryFiles()

test('a file stays as it was until the new one is complete', async () => {
  const path = newFile('animals.ndjson')
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
  const path = newFile('animals.ndjson')
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
  const others = readdirSync(dirname(path)).filter((name) => name.startsWith(`${basename(path)}.`))
  assert.deepEqual(others, [])
})

test('a device is written to, and not replaced', { skip: lacks.devices }, async () => {
  await writeNewFile('/dev/null', async (output) => finished(output.end('animals')))
  assert.deepEqual(
    readdirSync('/dev').filter((name) => name.startsWith('null.')),
    [],
  )
})

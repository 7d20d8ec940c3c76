import assert from 'node:assert/strict'
import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { createTemporaryFolder } from '../contracts/testing/temporary-folder.ts'
import { createFileCheck } from './file-check.ts'

const folder = createTemporaryFolder()
const path = join(folder, 'animals')

/** Opens both files. `pass` advances the clock by 1 s. */
function openFileCheck() {
  for (const file of [path, `${path}-wal`]) writeFileSync(file, '')
  let now = 0
  const check = createFileCheck(path, () => now)
  return {
    check,
    pass() {
      now += 1_000
    },
  }
}

for (const file of [path, `${path}-wal`])
  test(`the SQLite file check finds a removed or replaced ${file === path ? 'file' : 'log'}`, () => {
    const { check, pass } = openFileCheck()
    const name = file.slice(folder.length + 1)
    renameSync(file, `${file}-elsewhere`)
    check('recently')
    assert.throws(() => check('now'), { name: 'StoreUnavailableError', message: /was removed/ })
    const removed = new RegExp(`${name} was removed while it was in use: restore it, or restart the server$`)
    assert.throws(() => check('recently'), { name: 'StoreUnavailableError', message: removed })
    assert.throws(() => check('recently'), { message: removed })
    writeFileSync(file, '')
    pass()
    const replaced = new RegExp(`${name} was replaced by another file while it was in use`)
    assert.throws(() => check('recently'), { name: 'StoreUnavailableError', message: replaced })
    renameSync(`${file}-elsewhere`, file)
    pass()
    check('recently')
  })

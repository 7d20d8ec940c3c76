import assert from 'node:assert/strict'
import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { temporaryFolder } from '../../contracts/testing/temporary-folder.ts'
import { createFileCheck } from './file-check.ts'

const folder = temporaryFolder()
const path = join(folder, 'animals')

/** A check of an existing file and its log, and a function that lets a second pass. */
function openChecked() {
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
  test(`fails without its ${file === path ? 'file' : 'log'} until it is back`, () => {
    const { check, pass } = openChecked()
    const name = file.slice(folder.length + 1)
    renameSync(file, `${file}-elsewhere`)
    check('recently')
    assert.throws(() => check('now'), { name: 'StoreUnavailable', message: /was removed/ })
    const removed = new RegExp(
      `${name} was removed while it was in use: bring it back, or restart the server$`,
    )
    assert.throws(() => check('recently'), { name: 'StoreUnavailable', message: removed })
    assert.throws(() => check('recently'), { message: removed })
    writeFileSync(file, '')
    pass()
    const replaced = new RegExp(`${name} was replaced by another file while it was in use`)
    assert.throws(() => check('recently'), { name: 'StoreUnavailable', message: replaced })
    renameSync(`${file}-elsewhere`, file)
    pass()
    check('recently')
  })

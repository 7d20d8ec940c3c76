import assert from 'node:assert/strict'
import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { createMemoryStore } from '../../../core/index.ts'
import { temporaryFolder } from '../../contracts/testing/temporary-folder.ts'
import { createFileCheck, withFileCheck } from './file-check.ts'

const folder = temporaryFolder()
const path = join(folder, 'animals')
const rex = { name: 'Rex', categoryId: 1n }
const key = { token: 'a', fingerprint: 'b', now: 0, expiresAt: 1 }

/** A store whose file and log are there, and a function that lets a second pass. */
function openChecked() {
  for (const file of [path, `${path}-wal`]) writeFileSync(file, '')
  let now = 0
  const check = createFileCheck(path, () => now)
  return {
    store: withFileCheck(createMemoryStore(), check),
    pass() {
      now += 1_000
    },
  }
}

type Checked = ReturnType<typeof openChecked>

/** Asserts that calls are rejected once a second has passed. */
function assertUnavailable({ store, pass }: Checked, message: RegExp): void {
  const expected = { name: 'StoreUnavailable', message }
  pass()
  assert.throws(() => store.create(rex), expected)
  assert.throws(() => store.get(1n), expected)
  assert.throws(() => store.list({ limit: 1 }), expected)
  assert.throws(() => store.createOnce(rex, key), expected)
  assert.throws(() => store.findCreated(key), expected)
}

for (const file of [path, `${path}-wal`])
  test(`a store whose ${file === path ? 'file' : 'log'} is removed or replaced is unavailable within a second, until it is back`, async () => {
    const checked = openChecked()
    await checked.store.create(rex)
    renameSync(file, `${file}-elsewhere`)
    assert.equal((await checked.store.list({ limit: 2 })).length, 1)
    const name = file.slice(folder.length + 1)
    assertUnavailable(
      checked,
      new RegExp(`${name} was removed while it was in use: bring it back, or restart the server$`),
    )
    writeFileSync(file, '')
    assertUnavailable(checked, new RegExp(`${name} was replaced by another file while it was in use`))
    renameSync(`${file}-elsewhere`, file)
    checked.pass()
    assert.equal((await checked.store.list({ limit: 2 })).length, 1)
  })

test('a change that was committed to a file that is gone is not acknowledged, however short ago it was there', async () => {
  const { store } = openChecked()
  await store.create(rex)
  rmSync(path)
  const expected = { name: 'StoreUnavailable', message: /was removed/ }
  assert.throws(() => store.create(rex), expected)
  assert.throws(() => store.get(1n), expected)
})

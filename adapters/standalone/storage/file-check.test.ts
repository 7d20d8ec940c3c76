import assert from 'node:assert/strict'
import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { createMemoryStore, type PetStore } from '../../../core/index.ts'
import { temporaryFolder } from '../../contracts/testing/temporary-folder.ts'
import { createFileCheck, withFileCheck } from './file-check.ts'

const folder = temporaryFolder()

interface Checked {
  readonly path: string
  readonly store: PetStore
  /** Lets a second pass. */
  pass(): void
}

function openChecked(): Checked {
  const path = join(folder, 'animals')
  writeFileSync(path, '')
  let now = 0
  return {
    path,
    store: withFileCheck(
      createMemoryStore(),
      createFileCheck(path, () => now),
    ),
    pass() {
      now += 1_000
    },
  }
}

function assertUnavailable({ store }: Checked, message: RegExp): void {
  const expected = { name: 'StoreUnavailable', message }
  assert.throws(() => store.create({ name: 'Rex', categoryId: 1n }), expected)
  assert.throws(() => store.get(1n), expected)
  assert.throws(() => store.list({ limit: 1 }), expected)
  const key = { token: 'a', fingerprint: 'b', now: 0, expiresAt: 1 }
  assert.throws(() => store.createOnce?.({ name: 'Rex', categoryId: 1n }, key), expected)
  assert.throws(() => store.findCreated?.(key), expected)
  assert.throws(() => store.update?.(1n, { name: 'Max' }), expected)
  assert.throws(() => store.remove?.(1n), expected)
}

test('a store whose file is removed is unavailable within a second, until the file is back', async () => {
  const checked = openChecked()
  await checked.store.create({ name: 'Rex', categoryId: 1n })
  renameSync(checked.path, `${checked.path}-elsewhere`)
  checked.pass()
  assertUnavailable(checked, /animals was removed while it was in use: bring it back, or restart the server$/)
  renameSync(`${checked.path}-elsewhere`, checked.path)
  checked.pass()
  assert.equal((await checked.store.list({ limit: 2 })).length, 1)
})

test('a store whose file is replaced by another one is unavailable', () => {
  const checked = openChecked()
  writeFileSync(`${checked.path}-other`, '')
  renameSync(`${checked.path}-other`, checked.path)
  checked.pass()
  assertUnavailable(checked, /animals was replaced by another file while it was in use/)
})

test('the file system is asked once a second at most', async () => {
  const checked = openChecked()
  rmSync(checked.path)
  assert.equal((await checked.store.list({ limit: 1 })).length, 0)
})

test('a store has the methods that it has without the check, and no others', async () => {
  const { store } = openChecked()
  const { id } = await store.create({ name: 'Rex', categoryId: 1n })
  assert.equal((await store.update?.(id, { name: 'Max' }))?.name, 'Max')
  const { create, get, list } = createMemoryStore()
  const minimal = withFileCheck({ create, get, list }, createFileCheck(folder))
  assert.deepEqual(Object.keys(minimal), ['create', 'get', 'list'])
})

test('a change that was committed to a file that is gone is not acknowledged, however short ago it was there', async () => {
  const checked = openChecked()
  await checked.store.create({ name: 'Rex', categoryId: 1n })
  rmSync(checked.path)
  const expected = { name: 'StoreUnavailable', message: /was removed/ }
  assert.throws(() => checked.store.create({ name: 'Rex', categoryId: 1n }), expected)
  assert.throws(() => checked.store.get(1n), expected)
})

test('a store whose write-ahead log is removed is unavailable', () => {
  const path = join(folder, 'with-log')
  for (const file of [path, `${path}-wal`]) writeFileSync(file, '')
  let now = 0
  const check = createFileCheck(path, () => now)
  check.recent()
  rmSync(`${path}-wal`)
  now = 1_000
  assert.throws(() => check.recent(), { name: 'StoreUnavailable', message: /with-log-wal was removed/ })
})

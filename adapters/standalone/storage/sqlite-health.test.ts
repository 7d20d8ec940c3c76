import assert from 'node:assert/strict'
import { renameSync } from 'node:fs'
import type { TestContext } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { testWith } from '../../contracts/testing/part.ts'
import { openSqlite as openDatabase, sqlite, temporaryFiles } from '../../contracts/testing/sqlite.ts'
import { lacks } from '../../testing/machine.ts'
import type { OpenStorage, StorageHealth } from './open-storage.ts'
import { sqliteStorage } from './sqlite.ts'

const test = testWith(sqlite)
const newFile = temporaryFiles()
const rex = { name: 'Rex', categoryId: 1n }

async function open(t: TestContext, file: string): Promise<OpenStorage> {
  const log = { info() {}, warning() {} }
  const storage = await sqliteStorage({ value: file, source: '--data' }).open(log, {
    migrates: true,
    clock: Date.now,
  })
  t.after(() => storage.close())
  return storage
}

/** Resolves with the first health that a test waits for. */
async function until(
  { check }: OpenStorage,
  isIt: (health: StorageHealth) => boolean,
): Promise<StorageHealth> {
  for (;;) {
    const health = await check()
    if (isIt(health)) return health
    await setTimeout(50)
  }
}

const isHealthy = ({ readFailure, writeFailure }: StorageHealth) => !readFailure && !writeFailure

test('a file that is removed makes its storage unhealthy and creations fail, until it is back', async (t) => {
  if (lacks.openRename) return t.skip(lacks.openRename)
  const file = newFile()
  const storage = await open(t, file)
  assert.ok(isHealthy(await storage.check()))
  renameSync(file, `${file}-elsewhere`)
  const { readFailure, writeFailure } = await until(storage, ({ readFailure }) => readFailure !== undefined)
  assert.match(String(readFailure), /was removed while it was in use/)
  assert.match(String(writeFailure), /was removed while it was in use/)
  await assert.rejects(async () => storage.store.create(rex), { name: 'StoreUnavailable' })
  renameSync(`${file}-elsewhere`, file)
  await until(storage, isHealthy)
  assert.equal((await storage.store.create(rex)).id, 1n)
})

test('a file that another program locks can be read and not be written, and recovers', async (t) => {
  const file = newFile()
  const storage = await open(t, file)
  await storage.store.create(rex)
  const other = openDatabase(file)
  other.exec('BEGIN IMMEDIATE')
  const { readFailure, writeFailure } = await until(storage, ({ writeFailure }) => writeFailure !== undefined)
  assert.equal(readFailure, undefined)
  assert.match(String(writeFailure), /no response within 1800 ms|locked/)
  assert.equal((await storage.store.list({ limit: 2 })).length, 1)
  other.exec('ROLLBACK')
  other.close()
  await until(storage, isHealthy)
  assert.equal((await storage.store.create(rex)).id, 2n)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { type NewPet, StoreUnavailable } from '../../core/index.ts'
import { createSqliteStore } from '../sqlite.ts'
import { scriptDatabase } from './testing/scripted-database.ts'

const rex: NewPet = { name: 'Rex', categoryId: 1n }
const isLockedOut = (error: unknown) =>
  error instanceof StoreUnavailable && /locked by another program/.test(error.message)

/** A store of a database that another program has locked. An attempt to begin takes `attemptMs`. */
function lockedStore(lockTimeoutMs: number, attemptMs = 0) {
  const database = scriptDatabase()
  const store = createSqliteStore({ database, lockTimeoutMs })
  const lock = { isHeld: true }
  database.ran.length = 0
  database.failure = (sql) => {
    if (!sql.startsWith('BEGIN')) return undefined
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, attemptMs)
    return lock.isHeld ? 'database is locked' : undefined
  }
  return { store, lock, ran: database.ran }
}

test('a creation waits for a lock as long as its own deadline, by the clock', async () => {
  const { store, ran } = lockedStore(200, 40)
  const rejectedAfter = async () => {
    const began = performance.now()
    await assert.rejects(store.create(rex), isLockedOut)
    return performance.now() - began
  }
  const first = rejectedAfter()
  await setTimeout(100)
  const second = rejectedAfter()
  for (const waited of [await first, await second]) assert.ok(waited >= 200, `${waited} ms`)
  assert.ok(ran.length <= 8, `${ran.length} attempts`)
})

test('creations that wait for the same lock share one commit once it is free', async () => {
  const { store, lock, ran } = lockedStore(5000)
  const first = store.create(rex)
  await setTimeout(30)
  const second = store.create(rex)
  await setTimeout(30)
  lock.isHeld = false
  ran.length = 0
  await Promise.all([first, second])
  assert.deepEqual(
    ran.map((sql) => sql.split(' ')[0]),
    ['BEGIN', 'INSERT', 'INSERT', 'COMMIT'],
  )
})

test('a creation waits for an import as long as its deadline', async () => {
  const store = createSqliteStore({ database: scriptDatabase(), lockTimeoutMs: 500 })
  let finish = () => {}
  const finished = new Promise<void>((resolve) => {
    finish = resolve
  })
  async function* pets() {
    yield rex
    await finished
  }
  const done = store.importPets(pets())
  await assert.rejects(store.create(rex), /an import is under way/)
  const patient = store.create(rex)
  finish()
  assert.equal(await done, 1)
  await patient
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type NewPet, StoreUnavailable } from '../../core/index.ts'
import { createPetWrites } from './pet-writes.ts'
import { scriptDatabase } from './testing/scripted-database.ts'
import { importInto } from './transfer.ts'
import { createWriter } from './writer.ts'

const rex: NewPet = { name: 'Rex', categoryId: 1n }
const lockTimeoutMs = 5000

/** A writer whose time a test makes pass, of a database that another program may lock. */
function scripted() {
  let time = 0
  let sleepers: { wakeAt: number; wake(): void }[] = []
  const database = scriptDatabase()
  const writer = createWriter(database, lockTimeoutMs, {
    now: () => time,
    sleep: (ms) => new Promise((wake) => sleepers.push({ wakeAt: time + ms, wake })),
  })
  const writes = createPetWrites(database)
  const it = {
    database,
    isLocked: false,
    /** How long each attempt to begin takes, in milliseconds. */
    attemptMs: 0,
    now: () => time,
    /** Lets the time pass, with all that waits for it. */
    async pass(ms: number) {
      const end = time + ms
      for (await nextTurn(); time < end; await nextTurn()) {
        time = Math.max(time, Math.min(end, ...sleepers.map(({ wakeAt }) => wakeAt)))
        const due = sleepers.filter(({ wakeAt }) => wakeAt <= time)
        sleepers = sleepers.filter(({ wakeAt }) => wakeAt > time)
        for (const { wake } of due) wake()
      }
    },
    /** Creates an animal, and returns when its creation ended and how. */
    async create() {
      const [result] = await Promise.allSettled([writer.writing(writes.create)(rex)])
      return { endedAt: time, failure: result.status === 'rejected' ? result.reason : undefined }
    },
    importPets: (pets: AsyncIterable<NewPet>) => importInto(database, writer, writes, pets),
  }
  database.failure = (sql) => {
    if (!sql.startsWith('BEGIN')) return undefined
    time += it.attemptMs
    return it.isLocked ? 'database is locked' : undefined
  }
  return it
}

test('a creation waits for a lock as long as its own deadline, by the clock', async () => {
  const it = scripted()
  it.isLocked = true
  it.attemptMs = 30
  const first = it.create()
  await it.pass(3000)
  const secondBegan = it.now()
  const second = it.create()
  await it.pass(10_000)
  for (const [creation, began] of [
    [first, 0],
    [second, secondBegan],
  ] as const) {
    const { endedAt, failure } = await creation
    assert.ok(failure instanceof StoreUnavailable && /locked by another program/.test(failure.message))
    assert.ok(endedAt >= began + lockTimeoutMs && endedAt < began + lockTimeoutMs + 100, `${endedAt} ms`)
  }
})

test('creations that wait for the same lock share one commit once it is free', async () => {
  const it = scripted()
  it.isLocked = true
  const creations = [it.create()]
  await it.pass(1000)
  creations.push(it.create())
  await it.pass(1000)
  it.isLocked = false
  it.database.ran.length = 0
  await it.pass(1000)
  for (const { failure } of await Promise.all(creations)) assert.equal(failure, undefined)
  assert.deepEqual(
    it.database.ran.map((sql) => sql.split(' ')[0]),
    ['BEGIN', 'INSERT', 'INSERT', 'COMMIT'],
  )
})

test('a creation waits for an import as long as its deadline', async () => {
  const it = scripted()
  let finish = () => {}
  async function* pets() {
    yield rex
    await new Promise<void>((resolve) => {
      finish = resolve
    })
  }
  const done = it.importPets(pets())
  await nextTurn()
  const creation = it.create()
  await it.pass(lockTimeoutMs + 100)
  const { endedAt, failure } = await creation
  assert.ok(failure instanceof StoreUnavailable && /an import is under way/.test(failure.message))
  assert.equal(endedAt, lockTimeoutMs)
  const patient = it.create()
  await it.pass(1000)
  finish()
  assert.equal(await done, 1)
  await it.pass(1000)
  assert.equal((await patient).failure, undefined)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type NewPet, StoreUnavailable } from '../../../core/index.ts'
import type { ServerStore } from './open-storage.ts'
import { createStorageBreaker, type StorageBreaker } from './storage-breaker.ts'

const rex: NewPet = { name: 'Rex', categoryId: 1n }
const never = () => new Promise<never>(() => {})
const gone = new StoreUnavailable('no connection')

/** A storage whose abilities a test switches, and a breaker whose time it makes pass. */
interface Guarded {
  readonly breaker: StorageBreaker
  readonly store: ServerStore
  /** How the storage responds to calls and to checks. */
  readonly storage: Record<'reads' | 'writes', () => unknown>
  /** The checks, in order: whether each had to need all that a call needs. */
  readonly checks: { reads: boolean[]; writes: boolean[] }
  readonly events: string[]
  /** Lets steps of the deadlines pass. */
  step(times?: number): Promise<void>
  /** Lets a second pass, and someone ask for the health. */
  second(): Promise<void>
}

function guarded(maxCalls?: number): Guarded {
  const storage: Guarded['storage'] = { reads: () => [], writes: () => ({ ...rex, id: 1n }) }
  const checks: Guarded['checks'] = { reads: [], writes: [] }
  const events: string[] = []
  let now = 0
  let turns: (() => void)[] = []
  const time = { stepMs: 100, steps: 10, hurriedSteps: 1 }
  const check = (kind: 'reads' | 'writes') => (isFailing: boolean) => {
    checks[kind].push(isFailing)
    return storage[kind]()
  }
  const breaker = createStorageBreaker(
    {
      reads: { time, check: check('reads') },
      writes: { time, check: check('writes'), ...(maxCalls !== undefined && { maxCalls }) },
    },
    {
      warning: (_kind, message) => events.push(message),
      info: (_kind, message) => events.push(message),
    },
    { clock: () => now, nextTurn: (_ms, callback) => void turns.push(callback) },
  )
  const [reads, writes] = [() => storage.reads() as never, () => storage.writes() as never]
  return {
    breaker,
    store: breaker.guard({
      get: reads,
      list: reads,
      page: reads,
      findCreated: reads,
      create: writes,
      createOnce: writes,
    }),
    storage,
    checks,
    events,
    async step(times = 1) {
      for (let i = 0; i < times; i++) {
        await nextTurn()
        const due = turns
        turns = []
        for (const turn of due) turn()
      }
      await nextTurn()
    },
    async second() {
      now += 1_000
      breaker.health()
      await nextTurn()
    },
  }
}

async function outcomeOf(call: () => unknown): Promise<string> {
  try {
    await call()
    return 'ok'
  } catch (error) {
    return error instanceof StoreUnavailable ? error.message : String(error)
  }
}

/** Returns an array that has the outcome of a call once it has ended. */
function watch(call: () => unknown): string[] {
  const outcomes: string[] = []
  void outcomeOf(call).then((outcome) => outcomes.push(outcome))
  return outcomes
}

async function fail(times: number, call: () => unknown): Promise<void> {
  for (let i = 0; i < times; i++) assert.notEqual(await outcomeOf(call), 'ok')
}

/** Lets calls of a kind wait. Returns a function that ends the last of them. */
function hold(storage: Guarded['storage'], kind: 'reads' | 'writes'): (result?: unknown) => void {
  let end: (result: unknown) => void = () => {}
  storage[kind] = () =>
    new Promise((resolve) => {
      end = resolve
    })
  return (result) => end(result)
}

const throwGone = () => {
  throw gone
}
const rejected = 'the storage fails, and is tried again once a second'

test('a result that is no promise is returned as it is', () => {
  const { store, storage } = guarded()
  const page = [{ ...rex, id: 1n }]
  storage.reads = () => page
  assert.equal(store.list({ limit: 1 }), page)
})

test('a call that does not end is given up after its time, and its late result is dropped', async () => {
  const { store, storage, step } = guarded()
  const resolve = hold(storage, 'writes')
  const creation = watch(() => store.create(rex))
  await step(10)
  assert.deepEqual(creation, [])
  await step()
  resolve({ ...rex, id: 1n })
  await step()
  assert.deepEqual(creation, ['the storage did not respond within 1000 ms'])
})

test('late results of calls that were given up do not count as successes', async () => {
  const { store, storage, step } = guarded()
  const late: ((value: unknown) => void)[] = []
  storage.reads = () => new Promise((resolve) => late.push(resolve))
  const calls = Array.from({ length: 4 }, () => watch(() => store.get(1n)))
  await step(11)
  assert.ok(calls.every(({ length }) => length === 1))
  for (const resolve of late.slice(0, calls.length)) resolve(undefined)
  await step()
  assert.equal(await outcomeOf(() => store.get(1n)), rejected)
})

test('one call that takes long is as good as five failures, unless another succeeded meanwhile', async () => {
  const { store, storage, step } = guarded()
  const wait = async (meanwhile?: () => unknown) => {
    storage.reads = never
    const call = watch(() => store.get(1n))
    storage.reads = () => []
    await step()
    await meanwhile?.()
    await step(10)
    assert.equal(call.length, 1)
    return outcomeOf(() => store.get(1n))
  }
  assert.equal(await wait(() => store.list({ limit: 1 })), 'ok')
  storage.writes = never
  const creation = watch(() => store.create(rex))
  assert.equal(await wait(() => store.list({ limit: 1 })), 'ok')
  assert.equal(creation.length, 1)
  assert.equal(await outcomeOf(() => store.create(rex)), rejected)
})

test('a check that began before the first failure does not end the row', async () => {
  const { breaker, store, storage } = guarded()
  const succeed = hold(storage, 'reads')
  const checking = breaker.check()
  await nextTurn()
  storage.reads = throwGone
  await fail(4, () => store.get(1n))
  succeed([])
  await checking
  await fail(1, () => store.get(1n))
  assert.equal(await outcomeOf(() => store.get(1n)), rejected)
})

test('after five failures in a row the storage is not called, but checked once a second until it works', async () => {
  const { store, storage, checks, events, second } = guarded()
  storage.reads = throwGone
  await fail(5, () => store.list({ limit: 1 }))
  await nextTurn()
  for (let i = 0; i < 3; i++) await second()
  assert.deepEqual(checks.reads, [true, true, true, true])
  storage.reads = () => []
  assert.equal(await outcomeOf(() => store.get(1n)), rejected)
  await second()
  assert.equal(await outcomeOf(() => store.get(1n)), 'ok')
  assert.deepEqual(events, [
    'the storage fails, and requests that need it are rejected at once: no connection',
    'the storage works again',
  ])
  await second()
  assert.equal(checks.reads.length, 5)
})

test('writes that fail leave reads alone', async () => {
  const { store, storage } = guarded()
  storage.writes = throwGone
  for (let i = 0; i < 9; i++) await fail(1, () => store.create(rex))
  assert.equal(await outcomeOf(() => store.create(rex)), rejected)
  assert.equal(await outcomeOf(() => store.list({ limit: 1 })), 'ok')
})

test('five failures of any kind shorten the time of every call, also of those that wait', async () => {
  const { store, storage, step } = guarded()
  storage.reads = never
  const waiting = watch(() => store.list({ limit: 1 }))
  storage.reads = throwGone
  storage.writes = throwGone
  await fail(2, () => store.get(1n))
  await fail(2, () => store.create(rex))
  await step(2)
  assert.deepEqual(waiting, [])
  await fail(1, () => store.create(rex))
  storage.reads = never
  const later = watch(() => store.get(1n))
  await step(2)
  assert.deepEqual([waiting.length, later.length], [1, 1])
  storage.reads = () => []
  storage.writes = () => ({ ...rex, id: 1n })
  await outcomeOf(() => store.create(rex))
  storage.writes = never
  const restored = watch(() => store.create(rex))
  await step(10)
  assert.deepEqual(restored, [])
})

test('errors to which the storage responds are no failures, and do not end a row of failures', async () => {
  const { store, storage } = guarded()
  const defect = () => Promise.reject(new Error('no privilege'))
  storage.reads = defect
  for (let i = 0; i < 9; i++) assert.equal(await outcomeOf(() => store.get(1n)), 'Error: no privilege')
  storage.reads = throwGone
  await fail(4, () => store.get(1n))
  storage.reads = defect
  await fail(1, () => store.get(1n))
  storage.reads = throwGone
  await fail(1, () => store.get(1n))
  assert.equal(await outcomeOf(() => store.get(1n)), rejected)
})

test('a check that does not end is the only one until it is given up, and few of those are under way', async () => {
  const { store, storage, checks, step, second } = guarded()
  storage.reads = throwGone
  storage.writes = () => ({ ...rex, id: 1n })
  await fail(4, () => store.get(1n))
  storage.reads = () => {
    storage.reads = never
    throw gone
  }
  await fail(1, () => store.get(1n))
  for (let i = 0; i < 5; i++) await second()
  assert.equal(checks.reads.length, 1)
  for (let i = 0; i < 9; i++) {
    await step(11)
    await second()
  }
  assert.equal(checks.reads.length, 3)
})

test('a check that was given up and succeeds late leads to another one at once', async () => {
  const { store, storage, checks, step } = guarded()
  let succeed = (_result: unknown) => {}
  storage.reads = throwGone
  await fail(4, () => store.get(1n))
  storage.reads = () => {
    succeed = hold(storage, 'reads')
    throw gone
  }
  await fail(1, () => store.get(1n))
  await step(11)
  storage.reads = () => []
  succeed([])
  await step()
  assert.deepEqual(checks.reads, [true, true])
  assert.equal(await outcomeOf(() => store.get(1n)), 'ok')
})

test('the number of calls that have not ended is bounded, whoever waits for them', async () => {
  const { store, storage, step } = guarded()
  storage.reads = never
  const calls = Array.from({ length: 5_000 }, () => watch(() => store.get(1n)))
  assert.match(await outcomeOf(() => store.create(rex)), /^5000 calls wait for the storage/)
  await step(11)
  assert.ok(calls.every(({ length }) => length === 1))
  assert.match(await outcomeOf(() => store.create(rex)), /^5000 calls wait for the storage/)
})

test('calls beyond the most at once wait for their turn, and never run once they are given up', async () => {
  const { store, storage, step } = guarded(2)
  const running: ((value: unknown) => void)[] = []
  storage.writes = () => new Promise((resolve) => running.push(resolve))
  const calls = Array.from({ length: 4 }, () => watch(() => store.create(rex)))
  await step()
  assert.equal(running.length, 2)
  running[0]?.({ ...rex, id: 1n })
  await step()
  assert.deepEqual([running.length, calls[0]], [3, ['ok']])
  await step(10)
  for (const resolve of running) resolve({ ...rex, id: 1n })
  await step()
  assert.deepEqual([running.length, calls.map(({ length }) => length)], [3, [1, 1, 1, 1]])
})

test('a check of writes waits for its turn, and takes none from reads', async () => {
  const { breaker, store, storage, checks, step } = guarded(1)
  const end = hold(storage, 'writes')
  const creation = watch(() => store.create(rex))
  void breaker.check()
  await step()
  assert.deepEqual([checks, await outcomeOf(() => store.get(1n))], [{ reads: [false], writes: [] }, 'ok'])
  end({ ...rex, id: 1n })
  await step()
  assert.deepEqual([checks.writes, creation], [[false], ['ok']])
  end(undefined)
})

test('the health is that of a check within the last second, unless a call has shown the contrary', async () => {
  const { breaker, store, storage, checks, second } = guarded()
  const working = { readFailure: undefined, writeFailure: undefined }
  assert.deepEqual(await Promise.all([breaker.check(), breaker.check()]), [working, working])
  await breaker.check()
  assert.deepEqual(checks, { reads: [false], writes: [false] })
  storage.writes = throwGone
  assert.deepEqual(await breaker.check(), working)
  await fail(1, () => store.create(rex))
  assert.deepEqual(await breaker.check(), { ...working, writeFailure: gone })
  assert.deepEqual(checks, { reads: [false], writes: [false, true] })
  storage.writes = () => ({ ...rex, id: 1n })
  assert.deepEqual(await breaker.check(), { ...working, writeFailure: gone })
  await second()
  assert.deepEqual(await breaker.check(), working)
  assert.deepEqual(breaker.health(), working)
})

test('keys that could not be found make it unhealthy until they can', async () => {
  const { breaker, storage, second } = guarded()
  const find = () => breaker.call('keys', async () => storage.reads())
  storage.reads = throwGone
  await fail(1, find)
  assert.equal((await breaker.check()).readFailure, gone)
  storage.reads = () => []
  await second()
  assert.equal(await outcomeOf(find), 'ok')
  assert.equal((await breaker.check()).readFailure, undefined)
})

test('a check that fails for another reason makes it unhealthy, and rejects no call', async () => {
  const { breaker, store, storage, second } = guarded()
  const cause = new Error('the role lacks a privilege')
  storage.writes = () => Promise.reject(cause)
  for (let i = 0; i < 9; i++) {
    assert.equal((await breaker.check()).writeFailure, cause)
    await second()
  }
  storage.writes = () => ({ ...rex, id: 1n })
  assert.equal(await outcomeOf(() => store.create(rex)), 'ok')
})

test('a request that is rejected leads to a check of all that fails, at most once a second', async () => {
  const { breaker, store, storage, checks, second } = guarded()
  storage.writes = throwGone
  await fail(5, () => store.create(rex))
  await nextTurn()
  await fail(3, () => store.create(rex))
  assert.equal(checks.writes.length, 1)
  await second()
  await fail(3, () => store.create(rex))
  assert.equal(checks.writes.length, 2)
  storage.writes = () => ({ ...rex, id: 1n })
  await second()
  assert.equal(breaker.health().writeFailure, undefined)
  assert.equal(await outcomeOf(() => store.create(rex)), 'ok')
})

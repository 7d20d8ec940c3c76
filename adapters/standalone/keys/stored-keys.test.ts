import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createKeyStore, type KeyCount, StoreUnavailable, sha256 } from '../../../core/index.ts'
import type { Log } from '../log/log.ts'
import { openStoredKeys, type StoredKeys } from './stored-keys.ts'

const stored = createKeyStore([{ id: 'shelter', sha256: sha256('stored-key'), plan: 'free' }])

/** A storage of keys whose numbers a test sets. */
interface Bench {
  readonly storage: StoredKeys
  count: KeyCount | Error
  counted: number
  now: number
  readonly clock: () => number
  readonly log: Log
  readonly events: string[]
}

function createBench(count: KeyCount): Bench {
  const events: string[] = []
  const write = (event: string) => void events.push(event)
  const bench: Bench = {
    count,
    counted: 0,
    now: 1_000_000,
    clock: () => bench.now,
    events,
    // The parts of a log that are used.
    log: { info: write, warning: write } as unknown as Log,
    storage: {
      find: (token) => stored.find(token),
      async count() {
        bench.counted++
        if (bench.count instanceof Error) throw bench.count
        return bench.count
      },
    },
  }
  return bench
}

const plan = { plan: 'business' } as const
const open = ({ storage, clock, log }: Bench) => openStoredKeys(storage, plan, clock, log)

test('a storage in which a key was issued has no other key, even if none is valid any more', async () => {
  const bench = createBench({ issued: 2, inForce: 1, nextExpiry: 2_000_000 })
  const keys = await open(bench)
  assert.equal(keys.made, undefined)
  assert.ok(await keys.store.find('stored-key'))
  assert.deepEqual(keys.figures(), { issued: 2, inForce: 1, nextExpiry: 2_000_000, loadedAt: 1_000_000 })
  const ended = createBench({ issued: 2, inForce: 0 })
  assert.equal((await open(ended)).made, undefined)
  assert.deepEqual([...bench.events, ...ended.events], ['keys-read', 'no-keys'])
})

test('a key that is made ends within five seconds of the first key that is issued, which is valid at once', async () => {
  const bench = createBench({ issued: 0, inForce: 0 })
  const { made = '', store, figures } = await open(bench)
  assert.deepEqual(await store.find(made), { id: 'demo', plan: 'business' })
  assert.equal(figures()?.inForce, 1)
  bench.count = { issued: 1, inForce: 1 }
  assert.deepEqual(await store.find('stored-key'), { id: 'shelter', plan: 'free' })
  assert.equal(await store.find('another-key'), undefined)
  bench.now += 4999
  assert.ok(await store.find(made))
  bench.now += 1
  assert.equal(await store.find(made), undefined)
  bench.count = { issued: 0, inForce: 0 } // even if the table is emptied
  bench.now += 5000
  assert.equal(await store.find(made), undefined)
  assert.deepEqual(bench.events, ['key-ended'])
})

test('without a storage, a key is made', async () => {
  const { clock, log } = createBench({ issued: 0, inForce: 0 })
  const { made = '', store } = await openStoredKeys(undefined, plan, clock, log)
  assert.ok(await store.find(made))
  assert.equal(await store.find('stored-key'), undefined)
})

test('a storage in which a key was issued counts its keys once a minute, however many read the metrics', async () => {
  const bench = createBench({ issued: 1, inForce: 1 })
  const { figures, refresh } = await open(bench)
  bench.count = { issued: 2, inForce: 2 }
  bench.now += 59_999
  await refresh?.()
  assert.deepEqual([bench.counted, figures()?.inForce], [1, 1])
  bench.now += 1
  await Promise.all([refresh?.(), refresh?.()])
  assert.deepEqual([bench.counted, figures()?.inForce], [2, 2])
  bench.now += 60_000
  bench.count = new StoreUnavailable('away')
  await refresh?.()
  bench.count = { issued: 3, inForce: 3 }
  await refresh?.()
  assert.equal(figures()?.inForce, 3)
})

test('a storage without keys counts them once in five seconds; while it is away, the figures stay, and a key that was made is unavailable', async () => {
  const bench = createBench({ issued: 0, inForce: 0 })
  const { made = '', store, figures, refresh } = await open(bench)
  bench.now += 5000
  await Promise.all([refresh?.(), refresh?.(), store.find(made), store.find(made)])
  assert.equal(bench.counted, 2)
  bench.now += 5000
  bench.count = new StoreUnavailable('away')
  await refresh?.()
  assert.equal(figures()?.loadedAt, 1_005_000)
  await assert.rejects(async () => store.find(made), StoreUnavailable)
  bench.count = { issued: 0, inForce: 0 }
  assert.ok(await store.find(made))
})

test('a storage whose keys cannot be read stops the start', async () => {
  const bench = createBench({ issued: 0, inForce: 0 })
  bench.count = new Error('permission denied for table pets_api_keys')
  await assert.rejects(open(bench), {
    name: 'StartError',
    message: 'the keys of the storage cannot be read: permission denied for table pets_api_keys',
  })
})

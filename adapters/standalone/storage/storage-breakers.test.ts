import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { StoreUnavailable } from '../../../core/index.ts'
import { createStorageBreakers } from './storage-breakers.ts'

const gone = new StoreUnavailable('no connection')
const healthy = { readFailure: undefined, writeFailure: undefined }

/** Creates the circuit breakers of a storage whose abilities a test switches, and whose time it makes pass. */
function createBench() {
  const storage: Record<'reads' | 'writes', () => unknown> = { reads() {}, writes() {} }
  const checks: string[] = []
  const events: string[] = []
  let now = 0
  let timers: (() => void)[] = []
  const log = (_event: string, message: string) => void events.push(message)
  const call = (kind: 'reads' | 'writes', what: string) => {
    checks.push(what)
    return storage[kind]()
  }
  const breakers = createStorageBreakers(
    3_000,
    {
      reads: () => call('reads', 'reads'),
      writes: (isFailing) => call('writes', isFailing ? 'writes, failing' : 'writes'),
    },
    { warning: log, info: log },
    { time: { now: () => now, wait: (_ms, callback) => void timers.push(callback) } },
  )
  return {
    ...breakers,
    storage,
    checks,
    events,
    create: breakers.writes.wrap(async () => storage.writes()),
    async second() {
      now += 1_000
      for (let i = 0; i < 12; i++) {
        await nextTurn()
        for (const callback of timers.splice(0)) callback()
      }
      timers = []
    },
  }
}

describe('the circuit breakers of the storage', () => {
  it('share one check within a second, and report its failure', async () => {
    const { storage, check, checks, second } = createBench()
    for (const failure of [gone, new Error('the role lacks a privilege'), undefined]) {
      storage.writes = () => failure && Promise.reject(failure)
      const expected = { ...healthy, writeFailure: failure }
      assert.deepEqual(await Promise.all([check(), check()]), [expected, expected])
      assert.deepEqual(await check(), expected)
      assert.equal(checks.splice(0).length, 2)
      await second()
    }
  })

  it('report a storage that stands still after the timeout of a check', async () => {
    const { storage, check, second } = createBench()
    storage.reads = () => new Promise(() => {})
    for (let i = 0; i < 9; i++) {
      const checked = check()
      await second()
      assert.match(String((await checked).readFailure), /the storage (?:did not respond|fails)/)
      await second()
    }
  })

  it('log consecutive failures until a full check succeeds', async () => {
    const { storage, checks, events, create, check } = createBench()
    storage.writes = () => Promise.reject(gone)
    for (let i = 0; i < 5; i++) await assert.rejects(async () => create(), gone)
    storage.writes = () => {}
    assert.deepEqual(await check(), healthy)
    assert.deepEqual(checks, ['reads', 'writes, failing'])
    await create()
    assert.deepEqual(events, [
      'the storage fails, and requests that need it are rejected immediately: no connection',
      'the storage works again',
    ])
  })
})

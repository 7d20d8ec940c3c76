import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { StoreUnavailableError } from '../../core/index.ts'
import type { BackendEvent } from './backend.ts'
import { createStoreBreakers } from './store-breakers.ts'

const connectionError = new StoreUnavailableError('no connection')

const listMessages = (cause: unknown): string[] =>
  cause instanceof Error ? [cause.message, ...listMessages(cause.cause)] : []

/** Creates breakers for a store whose behavior the test sets. */
function createBench() {
  const store: Record<'reads' | 'writes', () => unknown> = { reads() {}, writes() {} }
  const checks: string[] = []
  const events: string[] = []
  let now = 0
  const breakers = createStoreBreakers({
    timeoutMs: 3_000,
    checkReads() {
      checks.push('reads')
      return store.reads()
    },
    checkWrites(isFailing) {
      checks.push(isFailing ? 'writes, failing' : 'writes')
      return store.writes()
    },
    onEvent({ level, message, cause }: BackendEvent) {
      events.push([`${level}: ${message}`, ...listMessages(cause)].join(': '))
    },
    time: { now: () => now, wait: () => () => {} },
  })
  return {
    ...breakers,
    store,
    checks,
    events,
    create: breakers.writes.wrap(async () => store.writes()),
    passTime(ms: number) {
      now += ms
    },
  }
}

describe('a health check', () => {
  it('reuses its result for one second', async () => {
    const { store, check, checks, passTime } = createBench()
    for (const failure of [connectionError, new Error('the role lacks a privilege'), undefined]) {
      store.writes = () => failure && Promise.reject(failure)
      const expected = failure ? { writes: failure } : {}
      assert.deepEqual(await Promise.all([check(), check()]), [expected, expected])
      passTime(999)
      assert.deepEqual(await check(), expected)
      assert.equal(checks.splice(0).length, 2)
      passTime(1)
    }
  })

  it('closes the circuit when the store has recovered', async () => {
    const { store, checks, events, create, check } = createBench()
    store.writes = () => Promise.reject(connectionError)
    for (let i = 0; i < 5; i++) await assert.rejects(async () => create(), connectionError)
    store.writes = () => {}
    assert.deepEqual(await check(), {})
    assert.deepEqual(checks, ['reads', 'writes, failing'])
    await create()
    assert.deepEqual(events, ['warning: writes are failing: no connection', 'info: the store has recovered'])
  })
})

describe('a store outage', () => {
  it('is reported once for each new cause', async () => {
    const { store, events, create, passTime } = createBench()
    for (const message of [...Array<string>(5).fill('refused'), 'refused', 'no such role', 'refused']) {
      const cause = new Error(message)
      store.writes = () => Promise.reject(new StoreUnavailableError('no connection', { cause }))
      await assert.rejects(async () => create())
      passTime(1_000)
    }
    const reported = events.map((event) => event.split(': ').at(-1))
    assert.deepEqual(reported, ['refused', 'no such role', 'refused'])
  })
  it('is reported even if only a health check notices it', async () => {
    const { store, events, check, passTime } = createBench()
    for (const isGone of [true, true, false, false]) {
      store.reads = () => isGone && Promise.reject(connectionError)
      await check()
      passTime(1_000)
    }
    assert.deepEqual(events, ['warning: reads are failing: no connection', 'info: the store has recovered'])
  })
})

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { stat } from 'node:fs/promises'
import { describe, it } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { StoreUnavailableError } from '../../core/index.ts'
import { type CircuitBreakerOptions, createCircuitBreaker } from './circuit-breaker.ts'

/** Creates a breaker whose clock and calls are controlled by the test. */
function createBench(options: Partial<CircuitBreakerOptions> = {}) {
  let now = 0
  const timers = new Map<() => void, number>()
  const events: string[] = []
  const calls: { resolve: (value: unknown) => void; reject: (error: Error) => void }[] = []
  const breaker = createCircuitBreaker({
    timeoutMs: 100,
    maxPending: 1_000,
    onOpen: () => events.push('open'),
    onFailure: (error) => events.push(String(error)),
    onClose: () => events.push('closed'),
    time: {
      now: () => now,
      wait(ms, callback) {
        timers.set(callback, now + ms)
        return () => timers.delete(callback)
      },
    },
    ...options,
  })
  const callHanging = breaker.wrap(() => new Promise((resolve, reject) => calls.push({ resolve, reject })))
  return {
    breaker,
    events,
    calls,
    /** Starts a call that hangs. Its result is added to the returned array. */
    call(): string[] {
      const results: string[] = []
      callHanging().then(
        () => results.push('ok'),
        ({ message }) => results.push(message),
      )
      return results
    },
    fail: breaker.wrap(() => {
      throw new StoreUnavailableError('gone')
    }),
    succeed: breaker.wrap(() => 'ok'),
    /** Advances the clock, by 100 ms by default, and runs the timers that are due. */
    async passTime(ms = 100) {
      await nextTurn()
      now += ms
      for (const [callback, at] of timers) if (at <= now) callback()
      await nextTurn()
    },
    advance(ms: number) {
      now += ms
    },
  }
}

type Bench = ReturnType<typeof createBench>

const timeoutMessage = 'the storage did not respond within 100 ms'
const openCircuitError = {
  name: 'StoreUnavailableError',
  message: 'the storage keeps failing and is retried once per second',
}

async function openCircuit(bench: Bench): Promise<void> {
  for (let i = 0; i < 5; i++) await assert.rejects(bench.fail, /gone/)
  assert.ok(bench.breaker.isOpen)
}

describe('a circuit breaker', () => {
  it('rejects a call after its timeout', async () => {
    const { call, passTime } = createBench()
    const result = call()
    await passTime(99)
    assert.deepEqual(result, [])
    await passTime(1)
    assert.deepEqual(result, [timeoutMessage])
  })

  const failures: Readonly<Record<string, (bench: Bench) => unknown>> = {
    'time out'({ call, passTime }) {
      for (let i = 0; i < 5; i++) call()
      return passTime()
    },
    async reject({ call, calls }) {
      for (let i = 0; i < 5; i++) call()
      await nextTurn()
      for (const { reject } of calls) reject(new StoreUnavailableError('gone'))
      await nextTurn()
    },
    async throw({ fail }) {
      for (let i = 0; i < 5; i++) await assert.rejects(fail, /gone/)
    },
  }
  for (const [kind, failFiveTimes] of Object.entries(failures))
    it(`opens after five calls that ${kind}`, async () => {
      const bench = createBench()
      await failFiveTimes(bench)
      assert.ok(bench.breaker.isOpen && bench.breaker.isFailing)
      assert.deepEqual(bench.events, [
        'open',
        `StoreUnavailableError: ${kind === 'time out' ? timeoutMessage : 'gone'}`,
      ])
    })

  it('opens while too many calls are pending', async () => {
    const { breaker, call, passTime, calls, advance } = createBench({ maxPending: 3, isFailure: () => false })
    const results = [call(), call(), call()]
    await passTime()
    assert.deepEqual(results.flat(), [timeoutMessage, timeoutMessage, timeoutMessage])
    assert.ok(breaker.isOpen)
    const [probe, other] = [call(), call()]
    await nextTurn()
    assert.deepEqual([probe, other], [[], ['the storage has 3 pending calls and is retried once per second']])
    for (const { resolve } of calls) resolve('ok')
    advance(1)
    await nextTurn()
    assert.equal(breaker.isOpen, false)
  })

  it('stays closed when fewer than five calls in a row fail', async () => {
    const { breaker, fail, succeed } = createBench()
    for (let i = 0; i < 9; i++) {
      await assert.rejects(fail, /gone/)
      if (i % 4 === 3) await succeed()
    }
    assert.equal(breaker.isOpen, false)
  })

  it('ignores other errors and late responses', async () => {
    const { breaker, call, calls, passTime } = createBench()
    const throwDefect = breaker.wrap(() => {
      throw new TypeError('a defect')
    })
    for (let i = 0; i < 5; i++) {
      await assert.rejects(throwDefect, /a defect/)
      call()
      await passTime()
      calls[i]?.resolve('ok')
      await nextTurn()
    }
    assert.ok(breaker.isOpen)
  })
})

describe('an open circuit breaker', () => {
  it('lets one call through per second', async () => {
    const bench = createBench()
    await openCircuit(bench)
    for (let i = 0; i < 2; i++) {
      await assert.rejects(bench.fail, /gone/)
      await assert.rejects(bench.succeed, openCircuitError)
      bench.advance(999)
      await assert.rejects(bench.succeed, openCircuitError)
      bench.advance(1)
    }
  })

  it('closes after a successful probe', async () => {
    const bench = createBench()
    await openCircuit(bench)
    assert.deepEqual(
      [await bench.succeed(), await bench.succeed(), bench.breaker.isOpen],
      ['ok', 'ok', false],
    )
    assert.deepEqual(bench.events, ['open', 'StoreUnavailableError: gone', 'closed'])
  })

  it('rejects other calls until the probe ends', async () => {
    const bench = createBench()
    await openCircuit(bench)
    const probe = bench.call()
    bench.advance(5_000)
    await assert.rejects(bench.succeed, openCircuitError)
    await bench.passTime()
    assert.deepEqual(probe, [timeoutMessage])
    assert.equal(await bench.succeed(), 'ok')
  })
})

describe('a circuit breaker with maxInFlight', () => {
  it('queues calls above the maximum', async () => {
    const { call, calls } = createBench({ maxInFlight: 2 })
    const results = [call(), call(), call(), call()]
    await nextTurn()
    assert.equal(calls.length, 2)
    calls[0]?.resolve('ok')
    await nextTurn()
    assert.deepEqual([calls.length, results[0]], [3, ['ok']])
  })

  it('never makes a queued call that has timed out', async () => {
    const { call, passTime, calls } = createBench({ maxInFlight: 1 })
    const results = [call(), call(), call()]
    await passTime()
    for (const { resolve } of calls) resolve('ok')
    await nextTurn()
    assert.deepEqual([calls.length, results.flat()], [1, [timeoutMessage, timeoutMessage, timeoutMessage]])
    call()
    await nextTurn()
    assert.equal(calls.length, 2)
  })
})

describe('a call timeout', () => {
  it('does not fire because of a blocked event loop', async () => {
    const breaker = createCircuitBreaker({ timeoutMs: 50, maxPending: 10 })
    const call = breaker.wrap(() => stat(import.meta.dirname))()
    const end = performance.now() + 200
    while (performance.now() < end);
    assert.ok((await call).isDirectory())
  })

  it('does not keep the process alive', () => {
    const script = `
      import { createCircuitBreaker } from '${new URL('circuit-breaker.ts', import.meta.url)}'
      createCircuitBreaker({ timeoutMs: 60_000, maxPending: 1 }).wrap(() => new Promise(() => {}))()`
    const flags = ['--import', 'tsx/esm', '--input-type=module', '--eval', script]
    const { signal, stderr } = spawnSync(process.execPath, flags, { timeout: 20_000, encoding: 'utf8' })
    assert.deepEqual([signal, stderr], [null, ''])
  })
})

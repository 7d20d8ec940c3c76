import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { describe, it } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { StoreUnavailable } from '../../core/index.ts'
import { type CircuitBreakerOptions, createCircuitBreaker } from './index.ts'

/** Creates a circuit breaker of a part whose results a test decides, on a clock that the test advances. */
function createBench(options: Partial<CircuitBreakerOptions> = {}) {
  let now = 0
  let timer: (() => void) | undefined
  const events: string[] = []
  const calls: { resolve: (value: unknown) => void; reject: (error: Error) => void }[] = []
  const breaker = createCircuitBreaker({
    timeoutMs: 100,
    maxPending: 1_000,
    onOpen: (error) => events.push(String(error)),
    onClose: () => events.push('closed'),
    time: {
      now: () => now,
      wait(_ms, callback) {
        timer = callback
      },
    },
    ...options,
  })
  const hang = breaker.wrap(() => new Promise((resolve, reject) => calls.push({ resolve, reject })))
  return {
    breaker,
    events,
    calls,
    /** Makes a call that hangs. Returns an array that receives its result. */
    call(): string[] {
      const results: string[] = []
      hang().then(
        () => results.push('ok'),
        ({ message }) => results.push(message),
      )
      return results
    },
    fail: breaker.wrap(() => {
      throw new StoreUnavailable('gone')
    }),
    succeed: breaker.wrap(() => 'ok'),
    /** Advances the clock by steps of 10 ms. A call times out in at most 11. */
    async pass(steps = 11) {
      for (let i = 0; i < steps; i++) {
        await nextTurn()
        const due = timer
        timer = undefined
        now += 10
        due?.()
      }
      await nextTurn()
    },
    advance(ms: number) {
      now += ms
    },
  }
}

type Bench = ReturnType<typeof createBench>

const late = 'the storage did not respond within 100 ms'
const rejected = { name: 'StoreUnavailable', message: 'the storage fails, and is tried once per second' }

async function openBy(bench: Bench): Promise<void> {
  for (let i = 0; i < 5; i++) await assert.rejects(bench.fail, /gone/)
  assert.ok(bench.breaker.isOpen)
}

describe('a closed circuit breaker', () => {
  it('rejects a call that takes longer than timeoutMs', async () => {
    const { call, pass } = createBench()
    const result = call()
    await pass(10)
    assert.deepEqual(result, [])
    await pass(1)
    assert.deepEqual(result, [late])
  })

  const failures: Readonly<Record<string, (bench: Bench) => unknown>> = {
    'time out'({ call, pass }) {
      for (let i = 0; i < 5; i++) call()
      return pass()
    },
    async reject({ call, calls }) {
      for (let i = 0; i < 5; i++) call()
      await nextTurn()
      for (const { reject } of calls) reject(new StoreUnavailable('gone'))
      await nextTurn()
    },
    async throw({ fail }) {
      for (let i = 0; i < 5; i++) await assert.rejects(fail, /gone/)
    },
  }
  for (const [kind, failFiveTimes] of Object.entries(failures))
    it(`opens after five consecutive calls that ${kind}`, async () => {
      const bench = createBench()
      await failFiveTimes(bench)
      assert.ok(bench.breaker.isOpen && bench.breaker.isFailing)
      assert.deepEqual(bench.events, [`StoreUnavailable: ${kind === 'time out' ? late : 'gone'}`])
    })

  it('opens while maxPending calls are pending, also when they timed out', async () => {
    const { breaker, call, pass, calls, advance } = createBench({ maxPending: 3, isFailure: () => false })
    const results = [call(), call(), call()]
    await pass()
    assert.deepEqual(results.flat(), [late, late, late])
    assert.ok(breaker.isOpen)
    const [probe, other] = [call(), call()]
    await nextTurn()
    assert.deepEqual([probe, other], [[], ['the storage has 3 pending calls, and is tried once per second']])
    for (const { resolve } of calls) resolve('ok')
    advance(1)
    await nextTurn()
    assert.equal(breaker.isOpen, false)
  })

  it('counts failures from the last success on', async () => {
    const { breaker, fail, succeed } = createBench()
    for (let i = 0; i < 9; i++) {
      await assert.rejects(fail, /gone/)
      if (i % 4 === 3) await succeed()
    }
    assert.equal(breaker.isOpen, false)
  })

  it('counts neither a defect nor a result after the timeout', async () => {
    const { breaker, call, calls, pass } = createBench()
    const defect = breaker.wrap(() => {
      throw new TypeError('a defect')
    })
    for (let i = 0; i < 5; i++) {
      await assert.rejects(defect, /a defect/)
      call()
      await pass()
      calls[i]?.resolve('ok')
      await nextTurn()
    }
    assert.ok(breaker.isOpen)
  })
})

describe('an open circuit breaker', () => {
  it('makes one call per second', async () => {
    const bench = createBench()
    await openBy(bench)
    for (let i = 0; i < 2; i++) {
      await assert.rejects(bench.fail, /gone/)
      await assert.rejects(bench.succeed, rejected)
      bench.advance(999)
      await assert.rejects(bench.succeed, rejected)
      bench.advance(1)
    }
  })

  it('closes with the first success', async () => {
    const bench = createBench()
    await openBy(bench)
    assert.deepEqual(
      [await bench.succeed(), await bench.succeed(), bench.breaker.isOpen],
      ['ok', 'ok', false],
    )
    assert.deepEqual(bench.events, ['StoreUnavailable: gone', 'closed'])
  })

  it('makes no other call while a probe hangs, until its timeout', async () => {
    const bench = createBench()
    await openBy(bench)
    const probe = bench.call()
    bench.advance(5_000)
    await assert.rejects(bench.succeed, rejected)
    await bench.pass()
    assert.deepEqual(probe, [late])
    assert.equal(await bench.succeed(), 'ok')
  })
})

describe('maxInFlight', () => {
  it('queues further calls', async () => {
    const { call, calls } = createBench({ maxInFlight: 2 })
    const results = [call(), call(), call(), call()]
    await nextTurn()
    assert.equal(calls.length, 2)
    calls[0]?.resolve('ok')
    await nextTurn()
    assert.deepEqual([calls.length, results[0]], [3, ['ok']])
  })

  it('never makes a queued call that timed out', async () => {
    const { call, pass, calls } = createBench({ maxInFlight: 1 })
    const results = [call(), call(), call()]
    await pass()
    for (const { resolve } of calls) resolve('ok')
    await nextTurn()
    assert.deepEqual([calls.length, results.flat()], [1, [late, late, late]])
    call()
    await nextTurn()
    assert.equal(calls.length, 2)
  })
})

describe('timeoutMs', () => {
  it('counts a pause of the process as one step', async () => {
    const breaker = createCircuitBreaker({ timeoutMs: 50, maxPending: 10 })
    const call = breaker.wrap(() => new Promise((resolve) => setTimeout(resolve, 1, 'ok')))()
    await nextTurn()
    const end = performance.now() + 200
    while (performance.now() < end);
    assert.equal(await call, 'ok')
  })

  it('keeps no process alive', () => {
    const script = `
      import { createCircuitBreaker } from '${new URL('index.ts', import.meta.url)}'
      createCircuitBreaker({ timeoutMs: 60_000, maxPending: 1 }).wrap(() => new Promise(() => {}))()`
    const flags = ['--import', 'tsx/esm', '--input-type=module', '--eval', script]
    const { signal, stderr } = spawnSync(process.execPath, flags, { timeout: 20_000, encoding: 'utf8' })
    assert.deepEqual([signal, stderr], [null, ''])
  })
})

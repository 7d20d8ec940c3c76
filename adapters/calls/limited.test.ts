import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { StoreUnavailable } from '../../core/index.ts'
import { type CallLimits, createCallLimit } from './limited.ts'

/** Creates a limit of a part whose results a test decides, and whose time it makes pass. */
function createBench(limits: Partial<CallLimits> = {}) {
  let now = 0
  let timer: (() => void) | undefined
  const events: string[] = []
  const running: { resolve: (value: unknown) => void; reject: (error: Error) => void }[] = []
  const limit = createCallLimit({
    ms: 100,
    max: 1_000,
    onFault: ({ message }: Error) => events.push(message),
    onRecover: () => events.push('recovered'),
    time: {
      now: () => now,
      wait(_ms, callback) {
        timer = callback
      },
    },
    ...limits,
  } as CallLimits)
  const hang = limit.limited(() => new Promise((resolve, reject) => running.push({ resolve, reject })))
  return {
    limit,
    events,
    running,
    /** Makes a call that hangs. Returns an array that has its outcome once it has ended. */
    call(): string[] {
      const outcomes: string[] = []
      const failed = ({ message }: Error) => outcomes.push(message)
      try {
        Promise.resolve(hang()).then(() => outcomes.push('ok'), failed)
      } catch (error) {
        failed(error as Error)
      }
      return outcomes
    },
    fail: limit.limited(() => {
      throw new StoreUnavailable('gone')
    }),
    work: limit.limited(() => 'ok'),
    /** Lets steps of the limit pass: ten are the time of a call, and it may be in the first of eleven. */
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
    second() {
      now += 1_000
    },
  }
}

const late = 'the storage did not respond within 100 ms'
const rejected = 'the storage fails, and is tried once a second'

test('a result that is no promise is returned as it is, and no timer runs', () => {
  const { limit } = createBench({ time: { now: () => 0, wait: () => assert.fail('a timer') } })
  const result = {}
  assert.equal(limit.limited(() => result)(), result)
})

test('a call that takes too long rejects, and its late result is dropped', async () => {
  const { call, pass, running } = createBench()
  const outcome = call()
  await pass(10)
  assert.deepEqual(outcome, [])
  await pass(1)
  running[0]?.resolve('late')
  await pass()
  assert.deepEqual(outcome, [late])
})

test('a call that was given up counts as pending until it ends, and the limit has a bound', async () => {
  const { call, pass, running, second } = createBench({ max: 3 })
  const calls = [call(), call(), call()]
  await pass()
  assert.deepEqual(calls.flat(), [late, late, late])
  assert.deepEqual(call(), []) // the one that finds out
  const full = 'the storage has 3 calls that have not ended, and is tried once a second'
  assert.deepEqual([call(), call()], [[full], [full]])
  second()
  assert.deepEqual(call(), [])
  assert.equal(running.length, 5)
  for (const { resolve } of running) resolve('ok')
  await nextTurn()
  assert.deepEqual(call(), [])
})

const failures: Readonly<Record<string, (bench: ReturnType<typeof createBench>) => unknown>> = {
  'that take too long': async ({ call, pass }) => {
    for (let i = 0; i < 5; i++) call()
    await pass()
  },
  'that reject': async ({ call, running }) => {
    for (let i = 0; i < 5; i++) call()
    for (const { reject } of running) reject(new StoreUnavailable('gone'))
    await nextTurn()
  },
  'that throw': ({ fail }) => {
    for (let i = 0; i < 5; i++) assert.throws(fail, /gone/)
  },
}

for (const [kind, failFive] of Object.entries(failures))
  test(`after five calls in a row ${kind}, one a second is made, until one succeeds`, async () => {
    const bench = createBench()
    await failFive(bench)
    assert.ok(bench.limit.isFull && bench.limit.isFailing)
    assert.throws(bench.fail, /gone/)
    assert.throws(bench.work, { name: 'StoreUnavailable', message: rejected })
    bench.second()
    assert.throws(bench.fail, /gone/)
    assert.throws(bench.work, { message: rejected })
    bench.second()
    assert.deepEqual([bench.work(), bench.work(), bench.limit.isFull], ['ok', 'ok', false])
    assert.deepEqual(bench.events, [kind === 'that take too long' ? late : 'gone', 'recovered'])
  })

test('a success ends a row, and an error that is no failure neither ends nor continues one', async () => {
  const { limit, fail, work, events } = createBench()
  const defect = limit.limited(() => {
    throw new TypeError('a defect')
  })
  for (let i = 0; i < 9; i++) {
    assert.throws(fail, /gone/)
    assert.throws(defect, /a defect/)
    if (i % 4 === 3) work()
  }
  assert.deepEqual(events, [])
})

test('calls beyond those at once wait for their turn, and are never made once they are given up', async () => {
  const { call, pass, running } = createBench({ atOnce: 2 })
  const calls = [call(), call(), call(), call()]
  await nextTurn()
  assert.equal(running.length, 2)
  running[0]?.resolve('ok')
  await nextTurn()
  assert.deepEqual([running.length, calls[0]], [3, ['ok']])
  await pass()
  for (const { resolve } of running) resolve('ok')
  await nextTurn()
  assert.deepEqual([running.length, calls.flat()], [3, ['ok', late, late, late]])
  assert.deepEqual([call(), call(), running.length], [[], [], 5])
})

test('the time of a process that stood still counts as one step', async () => {
  const limit = createCallLimit({ ms: 50, max: 10 })
  const call = limit.limited(() => new Promise((resolve) => setTimeout(resolve, 1, 'ok')))()
  await nextTurn()
  const end = performance.now() + 200
  while (performance.now() < end);
  assert.equal(await call, 'ok')
})

test('a call that does not end keeps no process alive', () => {
  const script = `
    import { createCallLimit } from '${new URL('limited.ts', import.meta.url)}'
    createCallLimit({ ms: 60_000, max: 1 }).limited(() => new Promise(() => {}))()`
  const flags = ['--import', 'tsx/esm', '--input-type=module', '--eval', script]
  const { signal, stderr } = spawnSync(process.execPath, flags, { timeout: 20_000, encoding: 'utf8' })
  assert.deepEqual([signal, stderr], [null, ''])
})

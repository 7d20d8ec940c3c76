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
    onFault: (error) => events.push(String(error)),
    onRecover: () => events.push('recovered'),
    time: {
      now: () => now,
      wait(_ms, callback) {
        timer = callback
      },
    },
    ...limits,
  })
  const hang = limit.limited(() => new Promise((resolve, reject) => running.push({ resolve, reject })))
  return {
    limit,
    events,
    running,
    /** Makes a call that hangs. Returns an array that has its outcome once it has ended. */
    call(): string[] {
      const outcomes: string[] = []
      const result = (async () => hang())()
      result.then(() => outcomes.push('ok')).catch(({ message }) => outcomes.push(message))
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

test('a result that is no promise is returned as it is, and no timer runs', () => {
  const { limit } = createBench({ time: { now: () => 0, wait: () => assert.fail('a timer') } })
  const result = {}
  assert.equal(limit.limited(() => result)(), result)
})

test('a call that takes too long rejects, counts as pending until it ends, and the limit has a bound', async () => {
  const { call, pass, running, second } = createBench({ max: 3 })
  const calls = [call(), call(), call()]
  await pass(10)
  assert.deepEqual(calls.flat(), [])
  await pass(1)
  const more = [call(), call(), call()] // the first one finds out
  await nextTurn()
  const full = 'the storage has 3 calls that have not ended, and is tried once a second'
  assert.deepEqual([...calls, ...more], [[late], [late], [late], [], [full], [full]])
  second()
  assert.deepEqual([call(), running.length], [[], 5])
  for (const { resolve } of running) resolve('ok')
  await nextTurn()
  assert.deepEqual([call(), running.length, calls.flat()], [[], 6, [late, late, late]])
})

type Bench = ReturnType<typeof createBench>
for (const [kind, fault, failFive] of [
  ['take too long', late, ({ pass }: Bench) => pass()],
  [
    'reject',
    'gone',
    ({ running }: Bench) => running.map(({ reject }) => reject(new StoreUnavailable('gone'))),
  ],
  ['throw', 'gone', ({ fail }: Bench) => [1, 2, 3, 4, 5].map(() => assert.throws(fail, /gone/))],
] as const)
  test(`after five calls in a row that ${kind}, one a second is made, until one succeeds`, async () => {
    const bench = createBench()
    for (let i = 0; i < 5; i++) if (kind !== 'throw') bench.call()
    await failFive(bench)
    await nextTurn()
    assert.ok(bench.limit.isFull && bench.limit.isFailing)
    const rejected = { name: 'StoreUnavailable', message: 'the storage fails, and is tried once a second' }
    for (let i = 0; i < 2; i++) {
      assert.throws(bench.fail, /gone/)
      assert.throws(bench.work, rejected)
      bench.second()
    }
    assert.deepEqual([bench.work(), bench.work(), bench.limit.isFull], ['ok', 'ok', false])
    assert.deepEqual(bench.events, [`StoreUnavailable: ${fault}`, 'recovered'])
  })

test('a success ends a row, and an error that is no failure neither ends nor continues one', () => {
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

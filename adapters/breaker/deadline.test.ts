import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { createDeadline, type Deadline } from './deadline.ts'

const tenTurns = { stepMs: 10, turns: 10, overdue: () => new Error('no response') }

/** Creates a deadline of 100 ms. The test makes its turns. */
function deadlineOfTurns(): { deadline: Deadline; steps: number[]; turn(times?: number): Promise<void> } {
  const steps: number[] = []
  let callback: (() => void) | undefined
  const deadline = createDeadline({
    ...tenTurns,
    nextTurn(ms, next) {
      steps.push(ms)
      callback = next
    },
  })
  return {
    deadline,
    steps,
    async turn(times = 1) {
      for (let i = 0; i < times; i++) {
        await nextTurn()
        const due = callback
        callback = undefined
        due?.()
      }
      await nextTurn()
    },
  }
}

const silence = () => new Promise<never>(() => {})

/** Collects how a call ends. */
function watch(call: Promise<unknown>): unknown[] {
  const ends: unknown[] = []
  call.then(
    (value) => ends.push(value),
    (error) => ends.push(String(error)),
  )
  return ends
}

test('each call that does not end is given up after ten whole turns of the event loop', async () => {
  const { deadline, steps, turn } = deadlineOfTurns()
  const first = watch(deadline.limit(silence()))
  await turn(6)
  const second = watch(deadline.limit(silence()))
  await turn(4)
  assert.deepEqual(first, [])
  await turn()
  assert.deepEqual([first, second], [['Error: no response'], []])
  await turn(6)
  assert.equal(second.length, 1)
  assert.deepEqual(new Set(steps), new Set([10]))
})

test('pending and later calls can be given fewer turns, and later ones all of them again', async () => {
  const { deadline, turn } = deadlineOfTurns()
  const calls = [watch(deadline.limit(silence()))]
  const ended = () => calls.map(({ length }) => length)
  deadline.setTurns(2)
  calls.push(watch(deadline.limit(silence())))
  deadline.setTurns(10)
  calls.push(watch(deadline.limit(silence())))
  await turn(2)
  assert.deepEqual(ended(), [0, 0, 0])
  await turn()
  assert.deepEqual(ended(), [1, 1, 0])
  await turn(8)
  assert.deepEqual(ended(), [1, 1, 1])
})

test('a call that is given up is told so before it rejects, and one that ends in time is not', async () => {
  const { deadline, turn } = deadlineOfTurns()
  const order: string[] = []
  deadline.limit(silence(), () => order.push('given up')).catch(() => order.push('rejected'))
  await deadline.limit(Promise.resolve(), () => order.push('never'))
  await turn(11)
  assert.deepEqual(order, ['given up', 'rejected'])
})

test('a call that ends in time ends as it would without a deadline', async () => {
  const { deadline } = deadlineOfTurns()
  assert.equal(await deadline.limit(Promise.resolve(7)), 7)
  await assert.rejects(deadline.limit(Promise.reject(new Error('gone'))), /gone/)
})

test('there is no timer once no call is pending', async () => {
  const { deadline, steps, turn } = deadlineOfTurns()
  await deadline.limit(Promise.resolve())
  await turn(5)
  assert.equal(steps.length, 1)
  await deadline.limit(Promise.resolve())
  assert.equal(steps.length, 2)
})

test('a pause of this process, however long, is one turn', async () => {
  const deadline = createDeadline({ ...tenTurns, stepMs: 2 })
  const response = (async () => {
    for (let i = 0; i < 5; i++) {
      standStill(25)
      await nextTurn()
    }
    return 'response'
  })()
  assert.equal(await deadline.limit(response), 'response')
})

function standStill(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}

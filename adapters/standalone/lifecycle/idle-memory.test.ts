import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMemoryCheck } from './idle-memory.ts'

const mebibyte = 2 ** 20

/** A process that holds so much memory, and lets go of all but `floor` MiB when it collects garbage. */
function processOf(start: number, floor: number) {
  const state = { resident: start, utilization: 0, collections: 0, isReadable: true }
  const check = createMemoryCheck({
    resident: () => (state.isReadable ? state.resident * mebibyte : undefined),
    utilization: () => state.utilization,
    collect() {
      state.collections++
      state.resident = Math.min(state.resident, floor)
    },
  })
  return { state, check }
}

test('an idle process that holds 32 MiB more than at its lowest collects garbage', () => {
  const { state, check } = processOf(60, 70)
  check()
  state.resident = 91
  check()
  assert.equal(state.collections, 0)
  state.resident = 92
  check()
  assert.deepEqual([state.collections, state.resident], [1, 70])
})

test('a process whose memory cannot be read for a time goes on as before', () => {
  const { state, check } = processOf(60, 70)
  check()
  state.isReadable = false
  check()
  Object.assign(state, { isReadable: true, resident: 92 })
  check()
  assert.equal(state.collections, 1)
})

test('a busy process leaves its garbage to V8', () => {
  const { state, check } = processOf(60, 70)
  check()
  state.resident = 300
  state.utilization = 0.21
  check()
  assert.equal(state.collections, 0)
})

test('memory that three collections cannot release counts as in use', () => {
  const { state, check } = processOf(60, 200)
  check()
  state.resident = 200
  for (let i = 0; i < 10; i++) check()
  assert.equal(state.collections, 3)
  state.resident = 232
  check()
  assert.equal(state.collections, 4)
})

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

test('a process that is idle for three checks and holds 56 MiB more than at its lowest collects garbage', () => {
  const { state, check } = processOf(60, 70)
  state.resident = 115
  for (let i = 0; i < 5; i++) check()
  assert.equal(state.collections, 0)
  state.resident = 60
  check()
  state.resident = 116
  check()
  assert.deepEqual([state.collections, state.resident], [1, 70])
})

test('a process that is idle between requests leaves its garbage to V8', () => {
  const { state, check } = processOf(60, 70)
  state.utilization = 1
  check()
  state.resident = 300
  for (const utilization of [0, 0.2, 0.21, 0, 0.21, 0.2, 0]) {
    state.utilization = utilization
    check()
  }
  assert.equal(state.collections, 0)
  check()
  assert.equal(state.collections, 1)
})

test('a process whose memory cannot be read for a time goes on as before', () => {
  const { state, check } = processOf(60, 70)
  for (let i = 0; i < 3; i++) check()
  state.isReadable = false
  check()
  Object.assign(state, { isReadable: true, resident: 116 })
  check()
  assert.equal(state.collections, 1)
})

test('memory that three collections cannot release counts as in use', () => {
  const { state, check } = processOf(60, 200)
  check()
  state.resident = 200
  for (let i = 0; i < 10; i++) check()
  assert.equal(state.collections, 3)
  state.resident = 256
  check()
  assert.equal(state.collections, 4)
})

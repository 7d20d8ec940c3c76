import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { isSlower, measureRise } from './compare.ts'
import type { Sample } from './rounds.ts'

/** Samples of three rounds, from the CPU times of the commit, of the work tree and of the control. */
const createSamples = (...rounds: readonly (readonly [commit: number, tree: number, control: number])[]) =>
  rounds.flatMap((micros, round) =>
    ['commit', 'tree', 'control'].map(
      (side, i): Sample => ({ side, row: 'list20', round, rate: 1, cpuMicros: micros[i] ?? 0 }),
    ),
  )

describe('a rise of the CPU time', () => {
  it('makes a commit slower if it is 10 % over both copies', () => {
    const rise = measureRise(createSamples([10, 12, 10], [20, 24, 20], [10, 10, 10]), 'list20')
    assert.deepEqual([rise.rise.toFixed(2), rise.noise], ['0.20', 0])
    assert.ok(isSlower(rise))
  })

  it('is noise if two equal copies show it too', () => {
    assert.ok(!isSlower(measureRise(createSamples([10, 12, 12], [12, 12, 10], [10, 12, 11]), 'list20')))
    assert.ok(!isSlower(measureRise(createSamples([10, 11, 10], [10, 11, 10]), 'list20')))
  })
})

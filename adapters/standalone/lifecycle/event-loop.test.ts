import assert from 'node:assert/strict'
import { test } from 'node:test'
import { watchEventLoop } from './event-loop.ts'

test('the longest delay counts for its window and the next one, whoever reads it', () => {
  const histogram = {
    /** In nanoseconds, with the 20 ms between two samples. */
    max: 0,
    reset() {
      this.max = 0
    },
    disable: () => true,
  }
  const delay = watchEventLoop(histogram) ?? assert.fail()
  assert.ok(delay.longest() === 0)
  histogram.max = 520e6
  assert.deepEqual([delay.longest(), delay.longest()], [0.5, 0.5])
  delay.rotate()
  assert.equal(delay.longest(), 0.5)
  histogram.max = 120e6
  assert.equal(delay.longest(), 0.5)
  delay.rotate()
  assert.ok(Math.abs(delay.longest() - 0.1) < 1e-9)
  delay.rotate()
  assert.equal(delay.longest(), 0)
  delay.close()
})

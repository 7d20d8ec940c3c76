import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createGate } from './gate.ts'

test('no more than 128 calls are under way, and the others follow in the order in which they came', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: -300, max: 300 }), { maxLength: 20 }), async (bursts) => {
      const gate = createGate(128)
      const begun: number[] = []
      let came = 0
      let left = 0
      for (const burst of bursts) {
        for (let i = 0; i < burst; i++) {
          const call = came++
          const turn = gate.enter()
          if (turn) turn.then(() => begun.push(call))
          else begun.push(call)
        }
        for (let i = 0; i > burst && left < begun.length; i--) {
          gate.leave()
          left++
          await Promise.resolve()
        }
        assert.equal(begun.length, Math.min(came, left + 128))
      }
      assert.deepEqual(
        begun,
        begun.map((_, i) => i),
      )
    }),
  )
})

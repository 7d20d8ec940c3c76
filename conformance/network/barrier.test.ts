import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createBarrier } from './barrier.ts'

describe('a barrier', () => {
  it('opens when all callers have arrived', async (context) => {
    context.mock.timers.enable({ apis: ['setTimeout'] })
    const passBarrier = createBarrier(3)
    let passed = 0
    const pendingWaits = [passBarrier(), passBarrier()].map((wait) => wait.then(() => passed++))
    await Promise.resolve()
    assert.equal(passed, 0)
    await Promise.all([...pendingWaits, passBarrier()])
    assert.equal(passed, 2)
  })

  it('opens after 1 s even if a caller is missing', async (context) => {
    context.mock.timers.enable({ apis: ['setTimeout'] })
    const pendingWait = createBarrier(2)()
    context.mock.timers.tick(1000)
    await pendingWait
  })
})

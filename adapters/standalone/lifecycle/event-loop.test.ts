import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { watchEventLoop } from './event-loop.ts'

test('a long event loop delay is reported for 30 to 60 seconds', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  const delay = watchEventLoop() ?? assert.fail()
  t.after(() => delay.close())
  await setTimeout(50)
  for (const end = performance.now() + 200; performance.now() < end; );
  await setTimeout(50)
  const longest = delay.readMaxSeconds()
  assert.ok(longest > 0.1 && longest < 5)
  for (const isCounted of [true, true, false]) {
    assert.equal(delay.readMaxSeconds() >= longest, isCounted)
    t.mock.timers.tick(30_000)
  }
})

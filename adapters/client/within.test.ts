import assert from 'node:assert/strict'
import { it } from 'node:test'
import { within } from './within.ts'

it('a wait that is longer than a timer lasts ends when it is over, and not before', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const dayMs = 86_400_000
  const end = t.mock.fn()
  const waiting = within(60 * dayMs, undefined, () => new Promise(() => {})).catch(end)
  const countAfter = async (ms: number) => {
    t.mock.timers.tick(ms)
    await Promise.race([waiting, new Promise(setImmediate)])
    return end.mock.callCount()
  }
  for (let day = 1; day < 60; day++) assert.equal(await countAfter(dayMs), 0, `after ${day} days`)
  assert.equal(await countAfter(3 * dayMs), 1) // the mock begins each timer at the end of a tick
})

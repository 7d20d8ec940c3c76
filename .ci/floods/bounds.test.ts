import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createStopwatch } from './clients.ts'
import { findViolations, type Measured } from './measure.ts'

const holding: Measured = {
  isAlive: true,
  memory: { start: 70, peak: 400, left: 130 },
  seen: { slowestHealth: 1_000, slowestGood: 1_000, violations: [] },
  traffic: { connections: 1, sent: 1, received: 1 },
  violations: [],
}

describe('the bounds of the load check', () => {
  it('hold where each value equals its bound', () => {
    assert.deepEqual(findViolations(holding), [])
  })

  const broken: readonly (readonly [change: Partial<Measured>, violation: RegExp])[] = [
    [{ isAlive: false }, /the process has ended/],
    [{ memory: { start: 70, peak: 401, left: 70 } }, /more than 400 MiB/],
    [{ seen: { ...holding.seen, slowestHealth: 1_001 } }, /healthz is slow/],
    [{ seen: { ...holding.seen, slowestGood: 1_001 } }, /served slowly/],
    [{ seen: { ...holding.seen, violations: ['the free key: status 200'] } }, /the free key/],
    [{ violations: ['2 of 20 right guesses were served'] }, /right guesses/],
  ]
  for (const [change, violation] of broken) {
    it(`are broken by ${JSON.stringify(change)}`, () => {
      const violations = findViolations({ ...holding, ...change })
      assert.equal(violations.length, 1)
      assert.match(String(violations), violation)
    })
  }

  it('hold without figures of memory, on a system that does not report them', () => {
    const { memory: _, ...rest } = holding
    assert.deepEqual(findViolations(rest), [])
  })
})

describe('the stopwatch of a well-behaved client', () => {
  it('includes a request that has no response yet', async () => {
    const watch = createStopwatch()
    let respond = () => {}
    const pending = watch.time(
      () =>
        new Promise<void>((resolve) => {
          respond = resolve
        }),
    )
    while (watch.slowest() === 0) await new Promise(setImmediate)
    respond()
    await pending
    assert.ok(watch.slowest() > 0)
  })

  it('excludes the time that a process waited for a core', async () => {
    let waited = 0
    const watch = createStopwatch(() => waited)
    await watch.time(async () => {
      waited = 1_000_000
    })
    assert.equal(watch.slowest(), 0)
  })
})

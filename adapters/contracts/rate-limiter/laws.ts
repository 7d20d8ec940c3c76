import assert from 'node:assert/strict'
import type { Decision, Limit } from '../../../core/index.ts'
import { createRandom, type Random } from '../random.ts'
import { type Bench, exhaust, hourMs, type LimiterCase } from './cases.ts'

const runs = 25
const stepsPerRun = 30

/** The rules that hold for any traffic: they define what the numbers mean (spec 8). All cases need `clock`. */
const cases: readonly LimiterCase[] = [
  {
    name: 'rejects only a key that had its limit within the window, and never admits twice the limit in one',
    run: overRandomTraffic(2, async (bench, limits, admissions) => {
      const within = ({ windowMs }: Limit) =>
        admissions.filter((time) => time > bench.clock.now() - windowMs).length
      const { allowed } = await bench.consume(limits)
      if (allowed) {
        admissions.push(bench.clock.now())
        for (const limit of limits)
          assert.ok(within(limit) < 2 * limit.requests, `${within(limit)} of ${limit.requests} in a window`)
      } else {
        const spent = limits.filter((limit) => within(limit) >= limit.requests)
        assert.notEqual(spent.length, 0, 'it was rejected, and no limit is spent')
      }
    }),
  },
  {
    name: 'admits exactly `remaining` more requests',
    run: overRandomTraffic(2, async (bench, limits) => {
      const { remaining } = await bench.peek(limits)
      assert.equal((await exhaust(bench, limits)).admitted, remaining)
    }),
  },
  {
    name: 'admits after `waitMs`, and not a millisecond before',
    run: overRandomTraffic(2, async (bench, limits) => {
      const { rejection } = await exhaust(bench, limits)
      bench.clock.advance(rejection.waitMs - 1)
      assert.equal((await bench.consume(limits)).waitMs, 1)
      bench.clock.advance(1)
      assert.equal((await bench.consume(limits)).allowed, true)
    }),
  },
  {
    name: 'has the whole limit again at `reset`, and not two seconds before',
    run: overRandomTraffic(1, async (bench, limits) => {
      const { limit, reset } = await bench.consume(limits)
      bench.clock.advance(Math.max(0, (reset - 2) * 1000 - bench.clock.now()))
      assert.notEqual((await bench.peek(limits)).remaining, limit)
      bench.clock.advance(Math.max(0, reset * 1000 - bench.clock.now()))
      assert.equal((await bench.peek(limits)).remaining, limit)
    }),
  },
  {
    name: 'repeats a rejection with the same numbers while its wait decreases',
    run: overRandomTraffic(2, async (bench, limits, _, random) => {
      const { rejection } = await exhaust(bench, limits)
      const passed = random.whole(0, rejection.waitMs - 1)
      bench.clock.advance(passed)
      const expected: Decision = { ...rejection, waitMs: rejection.waitMs - passed }
      assert.deepEqual(await bench.consume(limits), expected)
    }),
  },
  {
    name: 'makes no key wait longer than a window when the clock steps back',
    async run(bench) {
      const limits = [{ requests: 3, windowMs: hourMs }]
      await exhaust(bench, limits)
      for (const backMs of [1, 1000, 2000, 2001, 60_000, 24 * hourMs]) {
        bench.clock.advance(-backMs)
        const rejection = await bench.consume(limits)
        assert.equal(rejection.allowed, false, `back by ${backMs} ms`)
        assert.ok(rejection.waitMs <= hourMs, `waits ${rejection.waitMs} ms after ${backMs} ms`)
      }
      const { waitMs } = await bench.consume(limits)
      bench.clock.advance(waitMs)
      assert.equal((await bench.consume(limits)).allowed, true)
    },
  },
  {
    name: 'applies a limit that is raised within a second',
    async run(bench) {
      await exhaust(bench, [{ requests: 2, windowMs: hourMs }])
      bench.clock.advance(1000)
      assert.equal((await bench.consume([{ requests: 20, windowMs: hourMs }])).allowed, true)
    },
  },
]

export const lawCases: readonly LimiterCase[] = cases.map((one) => ({ ...one, needs: ['clock'] }))

/** Runs a check before each step of random traffic on random limits. `admissions` is a list for the check, empty at the start of each run. */
function overRandomTraffic(
  maxLimits: number,
  check: (bench: Bench, limits: readonly Limit[], admissions: number[], random: Random) => Promise<void>,
): LimiterCase['run'] {
  return async ({ clock, consume, peek }) => {
    for (let seed = 0; seed < runs; seed++) {
      const random = createRandom(seed)
      const key = `key:${seed}`
      const bench: Bench = {
        clock,
        consume: (limits) => consume(limits, key),
        peek: (limits) => peek(limits, key),
      }
      const limits = Array.from({ length: random.whole(1, maxLimits) }, () => ({
        requests: random.whole(1, 6),
        windowMs: random.pick([60_000, 61_007, 600_000, 24 * hourMs]),
      }))
      const shortest = Math.min(...limits.map(({ windowMs }) => windowMs))
      const admissions: number[] = []
      for (let step = 0; step < stepsPerRun; step++) {
        clock.advance(random.pick([0, 0, 1, random.whole(0, 2000), random.whole(0, shortest), 2 * shortest]))
        await check(bench, limits, admissions, random)
      }
    }
  }
}

import assert from 'node:assert/strict'
import { exhaust, hourMs, type LimiterCase } from './cases.ts'

const tenAnHour = [{ requests: 10, windowMs: hourMs }]
const threeOfTen = [
  { requests: 10, windowMs: 24 * hourMs },
  { requests: 3, windowMs: hourMs },
]
const uncountable = [
  { requests: 0, windowMs: 1000 },
  { requests: 1.5, windowMs: 1000 },
  { requests: 1, windowMs: 0 },
  { requests: 2 ** 40, windowMs: 2 ** 40 },
]

/** The rules that hold at any one time. */
export const countingCases: readonly LimiterCase[] = [
  {
    name: 'shows the whole limit to a new key',
    async run(bench) {
      const { allowed, banned, limit, remaining, waitMs } = await bench.peek(tenAnHour)
      assert.deepEqual(
        { allowed, banned, limit, remaining, waitMs },
        { allowed: true, banned: false, limit: 10, remaining: 10, waitMs: 0 },
      )
    },
  },
  {
    name: 'admits as many as the limit allows, counting down to 0, and rejects the next',
    async run(bench) {
      for (let remaining = 9; remaining >= 0; remaining--) {
        const decision = await bench.consume(tenAnHour)
        assert.deepEqual([decision.allowed, decision.remaining, decision.waitMs], [true, remaining, 0])
      }
      const rejection = await bench.consume(tenAnHour)
      assert.deepEqual([rejection.allowed, rejection.banned, rejection.remaining], [false, false, 0])
      assert.ok(rejection.waitMs > 0 && rejection.waitMs <= hourMs, `waits ${rejection.waitMs} ms`)
    },
  },
  {
    name: 'admits exactly as many when all come at once, and gives each a different `remaining`',
    async run(bench) {
      const decisions = await Promise.all(Array.from({ length: 50 }, () => bench.consume(tenAnHour)))
      const admitted = decisions.filter(({ allowed }) => allowed)
      assert.deepEqual(
        admitted.map(({ remaining }) => remaining).sort((a, b) => b - a),
        [9, 8, 7, 6, 5, 4, 3, 2, 1, 0],
      )
    },
  },
  {
    name: 'counts each key separately',
    async run(bench) {
      await exhaust(bench, tenAnHour)
      for (const key of ['key:b', 'key:', 'address:192.0.2.1', 'address:2001:db8::', 'key:ä {b}\n'])
        assert.equal((await bench.consume(tenAnHour, key)).remaining, 9, key)
    },
  },
  {
    name: 'charges nothing and rejects nothing at a peek',
    async run(bench) {
      const { remaining } = await bench.consume(tenAnHour)
      for (let i = 0; i < 20; i++) assert.equal((await bench.peek(tenAnHour)).remaining, remaining)
      await exhaust(bench, tenAnHour)
      const numbers = await bench.peek(tenAnHour)
      assert.deepEqual([numbers.allowed, numbers.remaining, numbers.waitMs], [true, 0, 0])
    },
  },
  {
    name: 'charges nothing for a rejection, in any of the limits',
    async run(bench) {
      await exhaust(bench, threeOfTen)
      const before = await bench.peek(threeOfTen)
      for (let i = 0; i < 20; i++) await bench.consume(threeOfTen)
      assert.deepEqual(await bench.peek(threeOfTen), before)
    },
  },
  {
    name: 'enforces all limits at once, and shows the one with the fewest remaining',
    async run(bench) {
      for (const remaining of [2, 1, 0]) {
        const decision = await bench.consume(threeOfTen)
        assert.deepEqual([decision.limit, decision.remaining], [3, remaining])
      }
      const rejection = await bench.consume(threeOfTen)
      assert.deepEqual([rejection.allowed, rejection.limit, rejection.remaining], [false, 3, 0])
    },
  },
  ...uncountable.map(
    (limit): LimiterCase => ({
      name: `throws a RangeError for ${limit.requests} requests in ${limit.windowMs} ms`,
      async run(bench) {
        await assert.rejects(bench.consume([limit]), RangeError)
      },
    }),
  ),
]

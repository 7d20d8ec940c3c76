import assert from 'node:assert/strict'
import type { BanPolicy, Decision } from '../../../core/index.ts'
import { type Bench, exhaust, type LimiterCase } from './cases.ts'

const minuteMs = 60_000
const policy: BanPolicy = {
  refusals: 5,
  withinMs: minuteMs,
  firstMs: 15 * minuteMs,
  longestMs: 40 * minuteMs,
  rememberMs: 100 * minuteMs,
}
const oneAMinute = [{ requests: 1, windowMs: minuteMs }]

/** When refusals become a ban (spec 7, rule 3). All need `policy`. */
const cases: readonly LimiterCase[] = [
  {
    name: 'bans a key with the last rejection that the policy allows, and shows the ban in it',
    async run(bench) {
      const refusals = await hammer(bench, policy.refusals)
      assert.deepEqual(
        refusals.map(({ banned }) => banned),
        [false, false, false, false, true],
      )
      assert.deepEqual(refusals.at(-1), {
        allowed: false,
        banned: true,
        limit: 1,
        remaining: 0,
        reset: Math.ceil((bench.clock.now() + policy.firstMs) / 1000),
        waitMs: policy.firstMs,
      })
    },
  },
  {
    name: 'refuses a banned key to the end of its ban, and not a millisecond longer',
    async run(bench) {
      await hammer(bench, policy.refusals)
      bench.clock.advance(policy.firstMs - 1)
      const last = await bench.consume(oneAMinute)
      assert.deepEqual([last.allowed, last.banned, last.waitMs], [false, true, 1])
      bench.clock.advance(1)
      const next = await bench.consume(oneAMinute)
      assert.deepEqual([next.allowed, next.banned], [true, false])
    },
  },
  {
    name: 'bans nobody whose refusals lie further apart',
    async run(bench) {
      for (let i = 0; i < 20; i++) {
        assert.equal(countBans(await hammer(bench, policy.refusals - 1)), 0)
        bench.clock.advance(policy.withinMs)
      }
    },
  },
  {
    name: 'neither counts nor extends for what comes during a ban',
    async run(bench) {
      await hammer(bench, policy.refusals)
      for (let i = 1; i <= 50; i++) {
        bench.clock.advance(10_000)
        assert.equal((await bench.consume(oneAMinute)).waitMs, policy.firstMs - i * 10_000)
      }
      bench.clock.advance(policy.firstMs - 500_000)
      assert.equal(countBans(await hammer(bench, policy.refusals - 1)), 0)
    },
  },
  {
    name: 'makes each ban twice as long as the one before, up to the longest, and forgets in time',
    async run(bench) {
      const lengths: number[] = []
      for (const pauseMs of [0, 0, policy.rememberMs - 1, policy.rememberMs, 0]) {
        const lengthMs = (await hammer(bench, policy.refusals)).at(-1)?.waitMs ?? 0
        lengths.push(lengthMs / minuteMs)
        bench.clock.advance(lengthMs + pauseMs)
      }
      assert.deepEqual(lengths, [15, 30, 40, 40, 15])
    },
  },
  {
    name: 'shows a banned key its numbers at a peek',
    async run(bench) {
      const ban = (await hammer(bench, policy.refusals)).at(-1)
      const peeked = await bench.peek(oneAMinute)
      assert.deepEqual(peeked, { ...ban, allowed: true, waitMs: 0 })
    },
  },
  {
    name: 'bans no other key',
    async run(bench) {
      await hammer(bench, policy.refusals)
      assert.equal((await bench.consume(oneAMinute, 'key:b')).allowed, true)
    },
  },
]

export const banningCases: readonly LimiterCase[] = [
  ...cases.map((one): LimiterCase => ({ ...one, needs: 'bans', ban: policy })),
  {
    name: 'bans no key without a policy',
    async run(bench) {
      assert.equal(countBans(await hammer(bench, 300)), 0)
    },
  },
]

/** Uses up the limit, then is refused so many times. */
async function hammer(bench: Bench, times: number): Promise<Decision[]> {
  const refusals = [(await exhaust(bench, oneAMinute)).refusal]
  while (refusals.length < times) refusals.push(await bench.consume(oneAMinute))
  return refusals
}

function countBans(refusals: readonly Decision[]): number {
  return refusals.filter(({ banned }) => banned).length
}

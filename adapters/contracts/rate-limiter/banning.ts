import assert from 'node:assert/strict'
import type { BanPolicy, Decision, Limit } from '../../../core/index.ts'
import { type Bench, exhaust, hourMs, type LimiterCase } from './cases.ts'

const minuteMs = 60_000
const policy: BanPolicy = {
  refusals: 5,
  withinMs: minuteMs,
  firstMs: 15 * minuteMs,
  longestMs: 40 * minuteMs,
  rememberMs: 100 * minuteMs,
}
const oneAMinute = [{ requests: 1, windowMs: minuteMs }]
/** Fewer bursts fit into `withinMs` than begin a ban. */
const onePerBurst = [{ requests: 1, windowMs: 15_000 }]
const oneADay = [{ requests: 1, windowMs: 24 * hourMs }]

/** Rejections of the first second of a streak count as one. */
const inFlightMs = 1000

/** When rejections become a ban (spec 7, rule 3). All cases need `policy`. */
const cases: readonly LimiterCase[] = [
  {
    name: 'bans a key with the rejection that completes the policy, and shows the ban in that decision',
    async run(bench) {
      const rejections = await hammer(bench, policy.refusals)
      assert.deepEqual(
        rejections.map(({ banned }) => banned),
        [false, false, false, false, true],
      )
      assert.deepEqual(rejections.at(-1), {
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
    name: 'rejects a banned key to the end of its ban, and not a millisecond longer',
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
    name: 'bans no key for a burst within a second, however large, and bans the key that goes on',
    async run(bench) {
      await exhaust(bench, oneAMinute)
      assert.equal(countBans(await reject(bench, oneAMinute, 100)), 0)
      bench.clock.advance(inFlightMs - 1)
      assert.equal(countBans(await reject(bench, oneAMinute, 100)), 0)
      bench.clock.advance(1)
      assert.equal(countBans(await reject(bench, oneAMinute, policy.refusals - 2)), 0)
      assert.equal(countBans(await reject(bench, oneAMinute, 1)), 1)
    },
  },
  {
    name: 'bans no key that waits after each burst until it is admitted',
    async run(bench) {
      for (let burst = 0; burst < 20; burst++) {
        await exhaust(bench, onePerBurst)
        assert.equal(countBans(await reject(bench, onePerBurst, 20)), 0)
        bench.clock.advance(15_000)
      }
    },
  },
  {
    name: 'bans no key whose rejections lie further apart',
    async run(bench) {
      await exhaust(bench, oneADay)
      for (let i = 0; i < 20; i++) {
        bench.clock.advance(policy.withinMs)
        assert.equal(countBans(await reject(bench, oneADay, policy.refusals - 1)), 0)
        bench.clock.advance(inFlightMs)
        assert.equal(countBans(await reject(bench, oneADay, policy.refusals - 2)), 0)
      }
    },
  },
  {
    name: 'neither counts nor extends a ban for what comes during it',
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
    name: 'makes each ban twice as long as the one before, up to the longest, until enough time has passed',
    async run(bench) {
      const lengths: number[] = []
      const enoughMs = policy.rememberMs - inFlightMs
      for (const pauseMs of [0, 0, enoughMs - 1, enoughMs, 0]) {
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
      const numbers = await bench.peek(oneAMinute)
      assert.deepEqual(numbers, { ...ban, allowed: true, waitMs: 0 })
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
  ...cases.map((one): LimiterCase => ({ ...one, needs: ['bans'], ban: policy })),
  {
    name: 'bans no key without a policy',
    async run(bench) {
      assert.equal(countBans(await hammer(bench, 300)), 0)
    },
  },
]

/** Uses up the limit, and is then rejected so often that `times` rejections count. Returns these. */
async function hammer(bench: Bench, times: number): Promise<Decision[]> {
  const { rejection } = await exhaust(bench, oneAMinute)
  bench.clock.advance(inFlightMs)
  return [rejection, ...(await reject(bench, oneAMinute, times - 1))]
}

async function reject(bench: Bench, limits: readonly Limit[], times: number): Promise<Decision[]> {
  const rejections: Decision[] = []
  while (rejections.length < times) rejections.push(await bench.consume(limits))
  return rejections
}

function countBans(rejections: readonly Decision[]): number {
  return rejections.filter(({ banned }) => banned).length
}

import assert from 'node:assert/strict'
import type { BanPolicy, Limit } from '../../core/index.ts'
import {
  type Account,
  accountEmptyAt,
  createAccount,
  decide,
  type EarlierRejections,
  peekAccount,
} from '../../core/limiter.ts'
import { fields } from '../../core/limits/account.ts'
import { createRandom, type Random } from '../contracts/random.ts'
import { testWith } from '../contracts/testing/part.ts'
import { connectRedis } from '../contracts/testing/redis.ts'
import { library } from './library.ts'
import { limitsText, policyText } from './script-call.ts'

const redis = await connectRedis()
const sequences = 500
const stepsPerSequence = 50
const sequencesPerCall = 10

/** Decides each case from its ARGV alone, without a key. */
const loop = `${library}
local results = {}
for i = 1, #ARGV, 7 do
  local limits, policy, now = limits_of(ARGV[i + 1]), policy_of(ARGV[i + 2]), tonumber(ARGV[i + 3])
  local account = open(ARGV[i] ~= '' and ARGV[i], limits, now)
  local count = tonumber(ARGV[i + 5])
  local earlier = count and { count = count, at = tonumber(ARGV[i + 6]) }
  local cost = tonumber(ARGV[i + 4])
  local d = decide(account, limits, policy, now, cost, earlier)
  local ends = cost == 0 and 0 or math.max(now, empty_at(account, limits, policy))
  results[#results + 1] = table.concat({ tostring(d.allowed), tostring(d.banned),
    words({ d.limit, d.remaining, d.reset, d.wait, ends }), written(account) }, ' ')
end
return results`

interface Case {
  readonly args: readonly string[]
  readonly expected: string
}

testWith(redis)(
  `the script decides as core does in ${sequences * stepsPerSequence} random cases`,
  async (_, connection) => {
    for (let first = 0; first < sequences; first += sequencesPerCall) {
      const cases: Case[] = []
      for (let seed = first; seed < first + sequencesPerCall; seed++) cases.push(...randomSequence(seed))
      const args = cases.flatMap((one) => one.args)
      const results: unknown = await connection.sendCommand(['EVAL', loop, '0', ...args])
      assert.deepEqual(
        results,
        cases.map(({ expected }) => expected),
      )
    }
  },
)

/** One account over time, by limits and policies that may change. */
function randomSequence(seed: number): Case[] {
  const random = createRandom(seed)
  const cases: Case[] = []
  let now: number = random.pick([1, 1_800_000_000_123])
  let limits = randomLimits(random)
  let policy = randomPolicy(random)
  let account: Account | undefined
  for (let step = 0; step < stepsPerSequence; step++) {
    now = Math.max(1, randomMoment(random, now, limits, policy, account))
    if (random.whole(0, 20) === 0) limits = randomLimits(random)
    if (random.whole(0, 20) === 0) policy = randomPolicy(random)
    const isPeek = random.pick([false, false, false, false, true])
    const earlier = isPeek ? undefined : random.pick([undefined, undefined, randomRejections(random, now)])
    const before = account ? accountText(account) : ''
    account ??= createAccount(limits, now)
    const d = isPeek ? peekAccount(account, limits, now) : decide(account, limits, policy, now, earlier)
    cases.push({
      args: [
        before,
        limitsText(limits),
        policyText(policy),
        String(now),
        isPeek ? '0' : '1',
        String(earlier?.count ?? ''),
        String(earlier?.at ?? ''),
      ],
      expected: [
        ...[d.allowed, d.banned, d.limit, d.remaining, d.reset, d.waitMs],
        ...[isPeek ? 0 : accountEmptyAt(account), accountText(account)],
      ].join(' '),
    })
    if (random.whole(0, 30) === 0) account = undefined
  }
  return cases
}

/** Writes an account as the script does: a window's start as its age, and a ban record once there was a rejection. */
function accountText(account: Account): string {
  const [at = 0] = account
  const used = account.slice(fields.limits).map((number, i) => (i % 3 === 1 ? at - number : number))
  const ban = account.slice(fields.bannedUntil, fields.limits)
  const record = ban.some((number) => number !== 0) ? `|${ban.join(' ')}` : ''
  return [at, ...used].join(' ') + record
}

/** Rejections within the last seconds, of which some may not count. */
function randomRejections(random: Random, now: number): EarlierRejections {
  return {
    count: random.pick([0, random.whole(1, 12)]),
    at: Math.max(1, now - random.pick([0, random.whole(0, 1500)])),
  }
}

function randomLimits(random: Random): Limit[] {
  return Array.from({ length: random.whole(1, 3) }, () =>
    random.pick([
      { requests: random.whole(1, 4), windowMs: random.whole(1, 50) },
      { requests: random.whole(1, 10), windowMs: random.whole(1, 100_000) },
      { requests: random.whole(1, 3), windowMs: 1000 },
      { requests: random.whole(1, 3), windowMs: 1000 },
      { requests: 7, windowMs: 60_000 },
      { requests: 2 ** 20, windowMs: 2 ** 32 },
      { requests: 1, windowMs: 2 ** 53 - 1 },
      { requests: 2 ** 53 - 1, windowMs: 1 },
    ]),
  )
}

function randomPolicy(random: Random): BanPolicy | undefined {
  const policy = {
    refusals: random.whole(1, 8),
    withinMs: random.whole(1, 60_000),
    firstMs: random.whole(1, 100_000),
    longestMs: random.whole(1, 1_000_000),
    rememberMs: random.whole(1, 1_000_000),
  }
  return random.pick([policy, policy, undefined])
}

/** Now, soon, in about a window, far away, back by more or less than is tolerated, or where something just ends. */
function randomMoment(
  random: Random,
  now: number,
  limits: readonly Limit[],
  policy: BanPolicy | undefined,
  account: Account | undefined,
): number {
  const windowMs = Math.min(limits[0]?.windowMs ?? 1, 10_000_000)
  const [until = now, , streakAt = now, rejectedAt = now, stepAt = now] =
    account?.slice(fields.bannedUntil).map((time) => time || now) ?? []
  const ends = [
    until,
    until + (policy?.rememberMs ?? 0),
    stepAt + random.whole(1, 10) * Math.floor((policy?.withinMs ?? 0) / 10),
    streakAt + 1000,
    rejectedAt + 1000,
  ] as const
  const end = random.pick(ends)
  return random.pick([
    now,
    now + random.pick([0, 1]),
    now + random.whole(0, 20),
    now + random.whole(0, windowMs),
    now + windowMs,
    now + random.whole(0, 5_000_000),
    now - random.whole(0, 2500),
    now - random.pick([2000, 2001]),
    now - random.whole(0, 10_000_000),
    Math.max(now, end),
    Math.max(now, end),
  ])
}

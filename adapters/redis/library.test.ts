import assert from 'node:assert/strict'
import type { BanPolicy, Limit } from '../../core/index.ts'
import { type Account, accountEmptyAt, createAccount, decide, peekAccount } from '../../core/limiter.ts'
import { createRandom, type Random } from '../contracts/random.ts'
import { testWith } from '../contracts/testing/part.ts'
import { connectRedis } from '../contracts/testing/redis.ts'
import { limitsText, policyText } from './ask.ts'
import { library } from './library.ts'

const redis = await connectRedis()
const sequences = 2000
const stepsPerSequence = 50
const sequencesPerCall = 10

/** Decides each case from its ARGV alone, without a key. */
const loop = `${library}
local answers = {}
for i = 1, #ARGV, 6 do
  local limits, policy, now = limits_of(ARGV[i + 1]), policy_of(ARGV[i + 2]), tonumber(ARGV[i + 3])
  local account = open(ARGV[i] ~= '' and ARGV[i], limits, now)
  local d = decide(account, limits, policy, now, tonumber(ARGV[i + 4]), tonumber(ARGV[i + 5]), now)
  answers[#answers + 1] = table.concat({ tostring(d.allowed), tostring(d.banned),
    words({ d.limit, d.remaining, d.reset, d.wait, empty_at(account, limits, policy) }), written(account) }, ' ')
end
return answers`

interface Case {
  readonly args: readonly string[]
  readonly expected: string
}

testWith(redis)(
  `the script decides as core does in ${sequences * stepsPerSequence} random cases`,
  async () => {
    if (!('value' in redis)) return
    for (let first = 0; first < sequences; first += sequencesPerCall) {
      const cases: Case[] = []
      for (let seed = first; seed < first + sequencesPerCall; seed++) cases.push(...randomSequence(seed))
      const args = cases.flatMap((one) => one.args)
      const answers: unknown = await redis.value.sendCommand(['EVAL', loop, '0', ...args])
      assert.deepEqual(
        answers,
        cases.map(({ expected }) => expected),
      )
    }
  },
)

/** One account over time, by limits and policies that may change. */
function randomSequence(seed: number): Case[] {
  const random = createRandom(seed)
  const cases: Case[] = []
  let now: number = random.pick([0, 1_800_000_000_123])
  let limits = randomLimits(random)
  let policy = randomPolicy(random)
  let account: Account | undefined
  for (let step = 0; step < stepsPerSequence; step++) {
    now = Math.max(0, randomMoment(random, now, limits, policy, account))
    if (random.whole(0, 20) === 0) limits = randomLimits(random)
    if (random.whole(0, 20) === 0) policy = randomPolicy(random)
    const isPeek = random.pick([false, false, false, false, true])
    const refusedBefore = isPeek ? 0 : random.pick([0, 0, 0, random.whole(1, 12)])
    const before = account ? accountText(account) : ''
    account ??= createAccount(limits, now)
    const d = isPeek ? peekAccount(account, limits, now) : decide(account, limits, policy, now, refusedBefore)
    cases.push({
      args: [
        before,
        limitsText(limits),
        policyText(policy),
        String(now),
        isPeek ? '0' : '1',
        String(refusedBefore),
      ],
      expected: [
        ...[d.allowed, d.banned, d.limit, d.remaining, d.reset, d.waitMs],
        ...[accountEmptyAt(account, limits, policy), accountText(account)],
      ].join(' '),
    })
    if (random.whole(0, 30) === 0) account = undefined
  }
  return cases
}

/** As the script writes it: a window's start as its age, a refusal as the time since the one before it. */
function accountText({ bucket, ban }: Account): string {
  const [at = 0] = bucket
  const numbers = bucket.map((number, i) => (i % 3 === 2 ? at - number : number))
  if (!ban) return numbers.join(' ')
  const { until, strikes, rejections } = ban
  const gaps = rejections.map((time, i) => time - (rejections[i - 1] ?? 0))
  return `${numbers.join(' ')};${[until, strikes, ...gaps].join(' ')}`
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
  const { until = now, rejections = [] } = account?.ban ?? {}
  const ends = [
    until,
    until + (policy?.rememberMs ?? 0),
    (rejections[0] ?? now) + (policy?.withinMs ?? 0),
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

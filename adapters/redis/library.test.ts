import assert from 'node:assert/strict'
import type { BanPolicy, Limit } from '../../core/index.ts'
import { type Account, createAccount, decide, peekAccount } from '../../core/limiter.ts'
import * as fields from '../../core/limits/fields.ts'
import { createRandom, type Random } from '../contracts/random.ts'
import { connectRedis } from '../contracts/testing/redis.ts'
import { testWith } from '../contracts/testing/resource.ts'
import { luaLibrary } from './library.ts'

const redis = await connectRedis()
const sequenceCount = 500
const stepsPerSequence = 50

/** Runs the Lua functions on several cases. Returns each decision and the account after it as a string. */
const casesScript = `${luaLibrary}
local results = {}
for i, case in ipairs(cjson.decode(ARGV[1])) do
  local limits, now = case.limits, case.now
  local account, decision = case.account or create_account(limits, now)
  if case.isPeek then decision = peek(account, limits, now) else decision = decide(account, limits, case.policy, now) end
  local numbers = { decision.allowed and 1 or 0, decision.banned and 1 or 0, decision.limit, decision.remaining,
    decision.reset, decision.wait }
  for _, number in ipairs(cmsgpack.unpack(cmsgpack.pack(account))) do numbers[#numbers + 1] = number end
  for j, number in ipairs(numbers) do numbers[j] = string.format('%.0f', number) end
  results[i] = table.concat(numbers, ' ')
end
return results`

testWith(redis)(
  `the Lua script and core agree in ${sequenceCount * stepsPerSequence} random cases`,
  async (_, connection) => {
    for (let seed = 0; seed < sequenceCount; seed++) {
      const cases = createRandomSequence(seed)
      const input = JSON.stringify(cases.map(({ input }) => input))
      const expected = cases.map(({ expected }) => expected)
      assert.deepEqual(await connection.sendCommand(['EVAL', casesScript, '0', input]), expected)
    }
  },
)

/** Creates successive requests for one account, with the decisions that core makes. */
function createRandomSequence(seed: number) {
  const random = createRandom(seed)
  const cases: { readonly input: object; readonly expected: string }[] = []
  let now: number = random.pick([1, 1_800_000_000_123])
  let limits = createRandomLimits(random)
  let policy = createRandomPolicy(random)
  let account: Account | undefined
  for (let step = 0; step < stepsPerSequence; step++) {
    now = Math.max(1, pickMoment(random, now, limits, policy, account))
    if (random.integer(0, 20) === 0) limits = createRandomLimits(random)
    if (random.integer(0, 20) === 0) policy = createRandomPolicy(random)
    const isPeek = random.integer(0, 4) === 0
    const input = { account: account && [...account], limits, policy, now, isPeek }
    account ??= createAccount(limits, now)
    const decision = isPeek ? peekAccount(account, limits, now) : decide(account, limits, policy, now)
    const decisionNumbers = [
      Number(decision.allowed),
      Number(decision.banned),
      decision.limit,
      decision.remaining,
      decision.reset,
      decision.waitMs,
    ]
    cases.push({ input, expected: [...decisionNumbers, ...account].join(' ') })
    if (random.integer(0, 30) === 0) account = undefined
  }
  return cases
}

function createRandomLimits(random: Random): Limit[] {
  return Array.from({ length: random.integer(1, 3) }, () =>
    random.pick([
      { requests: random.integer(1, 4), windowMs: random.integer(1, 50) },
      { requests: random.integer(1, 10), windowMs: random.integer(1, 100_000) },
      { requests: random.integer(1, 3), windowMs: 1000 },
      { requests: 7, windowMs: 60_000 },
      { requests: 2 ** 20, windowMs: 2 ** 32 },
      { requests: 1, windowMs: 2 ** 53 - 1 },
      { requests: 2 ** 53 - 1, windowMs: 1 },
    ]),
  )
}

function createRandomPolicy(random: Random): BanPolicy | undefined {
  const policy = {
    rejections: random.integer(1, 8),
    windowMs: random.integer(1, 60_000),
    firstBanMs: random.integer(1, 100_000),
    maxBanMs: random.integer(1, 1_000_000),
    resetAfterMs: random.integer(1, 1_000_000),
  }
  return random.pick([policy, policy, undefined])
}

/** Picks a time when a decision could change. */
function pickMoment(
  random: Random,
  now: number,
  limits: readonly Limit[],
  { windowMs: banWindowMs = 0, resetAfterMs = 0 }: Partial<BanPolicy> = {},
  account: readonly number[] = [now],
): number {
  const windowMs = Math.min(limits[0]?.windowMs ?? 1, 10_000_000)
  const time = Math.min(random.pick(account.slice(0, fields.rejectionCounts)), now + 10 ** 10)
  const steps = random.integer(1, 10) * Math.floor(banWindowMs / 10)
  const end = Math.max(now, time + random.pick([0, 1000, resetAfterMs, steps]))
  return random.pick([
    ...[now, now + 1, now + windowMs, now - 2000, now - 2001, end, end, end],
    now + random.integer(0, random.pick([20, windowMs, 5_000_000])),
    now - random.integer(0, random.pick([2500, 10_000_000])),
  ])
}

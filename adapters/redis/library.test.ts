import assert from 'node:assert/strict'
import type { BanPolicy, Limit } from '../../core/index.ts'
import {
  type Account,
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

const redis = await connectRedis()
const sequences = 500
const stepsPerSequence = 50

/** Decides each case of a list, and returns the decisions and the accounts after them. */
const loop = `${library}
local results = {}
for i, case in ipairs(cjson.decode(ARGV[1])) do
  local limits, now = case.limits, case.now
  local account, d = case.account or create_account(limits, now)
  if case.isPeek then d = peek(account, limits, now)
  else d = decide(account, limits, case.policy, now, case.earlier) end
  local numbers = { d.allowed and 1 or 0, d.banned and 1 or 0, d.limit, d.remaining, d.reset, d.wait }
  for _, number in ipairs(cmsgpack.unpack(cmsgpack.pack(account))) do numbers[#numbers + 1] = number end
  for j, number in ipairs(numbers) do numbers[j] = string.format('%.0f', number) end
  results[i] = table.concat(numbers, ' ')
end
return results`

testWith(redis)(
  `the script decides as core does in ${sequences * stepsPerSequence} random cases`,
  async (_, connection) => {
    for (let seed = 0; seed < sequences; seed++) {
      const cases = randomSequence(seed)
      const input = JSON.stringify(cases.map(({ input }) => input))
      const expected = cases.map(({ expected }) => expected)
      assert.deepEqual(await connection.sendCommand(['EVAL', loop, '0', input]), expected)
    }
  },
)

/** One account over time, by limits and policies that may change. */
function randomSequence(seed: number) {
  const random = createRandom(seed)
  const cases: { readonly input: object; readonly expected: string }[] = []
  let now: number = random.pick([1, 1_800_000_000_123])
  let limits = randomLimits(random)
  let policy = randomPolicy(random)
  let account: Account | undefined
  for (let step = 0; step < stepsPerSequence; step++) {
    now = Math.max(1, randomMoment(random, now, limits, policy, account))
    if (random.whole(0, 20) === 0) limits = randomLimits(random)
    if (random.whole(0, 20) === 0) policy = randomPolicy(random)
    const isPeek = random.whole(0, 4) === 0
    const earlier = random.pick([undefined, undefined, randomRejections(random, now)])
    const input = { account: account && [...account], limits, policy, now, isPeek, earlier }
    account ??= createAccount(limits, now)
    const d = isPeek ? peekAccount(account, limits, now) : decide(account, limits, policy, now, earlier)
    const decided = [Number(d.allowed), Number(d.banned), d.limit, d.remaining, d.reset, d.waitMs]
    cases.push({ input, expected: [...decided, ...account].join(' ') })
    if (random.whole(0, 30) === 0) account = undefined
  }
  return cases
}

/** Returns random rejections within the last seconds. Some may not count. */
function randomRejections(random: Random, now: number): EarlierRejections {
  const at = Math.max(1, now - random.pick([0, random.whole(0, 1500)]))
  return { count: random.pick([0, random.whole(1, 12)]), at }
}

function randomLimits(random: Random): Limit[] {
  return Array.from({ length: random.whole(1, 3) }, () =>
    random.pick([
      { requests: random.whole(1, 4), windowMs: random.whole(1, 50) },
      { requests: random.whole(1, 10), windowMs: random.whole(1, 100_000) },
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
    rejections: random.whole(1, 8),
    withinMs: random.whole(1, 60_000),
    firstMs: random.whole(1, 100_000),
    longestMs: random.whole(1, 1_000_000),
    rememberMs: random.whole(1, 1_000_000),
  }
  return random.pick([policy, policy, undefined])
}

/** Now, soon, in about a window, far away, back by more or less than is tolerated, or the moment something ends. */
function randomMoment(
  random: Random,
  now: number,
  limits: readonly Limit[],
  { withinMs = 0, rememberMs = 0 }: Partial<BanPolicy> = {},
  account: readonly number[] = [now],
): number {
  const windowMs = Math.min(limits[0]?.windowMs ?? 1, 10_000_000)
  const time = Math.min(random.pick(account.slice(0, fields.counts)), now + 10 ** 10)
  const steps = random.whole(1, 10) * Math.floor(withinMs / 10)
  const end = Math.max(now, time + random.pick([0, 1000, rememberMs, steps]))
  return random.pick([
    ...[now, now + 1, now + windowMs, now - 2000, now - 2001, end, end, end],
    now + random.whole(0, random.pick([20, windowMs, 5_000_000])),
    now - random.whole(0, random.pick([2500, 10_000_000])),
  ])
}

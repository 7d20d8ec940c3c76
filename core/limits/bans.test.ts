import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { epoch } from '../testing/traffic.ts'
import type { Account } from './account.ts'
import { type BanPolicy, defaultBanPolicy, type EarlierRejections } from './bans.ts'
import { accountEmptyAt, createAccount, decide, peekAccount } from './decide.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const limits = [{ requests: 1, windowMs: 90 * 24 * hourMs }]

const at = (account: Account, now: number, earlier?: EarlierRejections) =>
  decide(account, limits, defaultBanPolicy, now, earlier)

/** An account that used its limit two seconds before `epoch`, with counted rejections: one there, the rest later. */
function rejected(count: number): Account {
  const account = createAccount(limits, epoch - 2_000)
  assert.ok(at(account, epoch - 2_000).allowed)
  for (let i = 0; i < count; i++) assert.ok(!at(account, i === 0 ? epoch : epoch + 1_000).allowed)
  return account
}

/** Three rejections within 10 s. */
const small: BanPolicy = {
  rejections: 3,
  withinMs: 10_000,
  firstMs: 4_000,
  longestMs: 15_000,
  rememberMs: 5_000,
}
const day = 24 * hourMs
const first = '0 ok, 0 no'
const banned = `${first}, 1000 no, 1001 ban 4000`
const back = `${first}, 1000 no, -100000 no`
const twice = `${banned}, 5001 no, 6001 no, 6002 ban 8000`

/**
 * Stories of a client with a limit of one request. Each step is a time in ms and the result: `ok`, `no` for a 429, or
 * `ban` and its rest in ms. `9+2@1` reports two earlier rejections, made at 1, at 9.
 */
const stories: readonly (readonly [what: string, windowMs: number, story: string])[] = [
  ['counts the first second of a streak as one', day, `${first}, 999 no, 1000 no, 1001 ban 4000`],
  ['does not change while it lasts', day, `${banned}, 2000 ban 3001, 5000 ban 1, 5001 no`],
  ['lasts twice as long as the one before', day, `${twice}, 14002 no, 15002 no, 15003 ban 15000`],
  ['is not extended by a step of the clock', day, `${banned}, -100000 ban 5001, -94999 no`],
  ['doubles the next one for a time', day, `${banned}, 9000 no, 10000 no, 10000 ban 8000`],
  ['doubles no later one', day, `${banned}, 9000 no, 10000 no, 10001 ban 4000`],
  ['counts a rejection to the end of the window', day, `${first}, 1500 no, 9999 ban 4000`],
  ['counts a rejection no longer after the window', day, `${first}, 1500 no, 10000 no, 10999 ban 4000`],
  ['counts by tenths of the window', day, `${first}, 1500 no, 10000 no, 11000 no, 11001 ban 4000`],
  ['counts again from zero after the window', day, `${first}, 10000 no, 10500 no, 11000 no, 11001 ban 4000`],
  ['continues to count after a quick admission', 2_000, '0 ok, 1001 no, 2000 ok, 2100 no, 2500 ban 4000'],
  [
    'counts again from zero after a later admission',
    2_000,
    '0 ok, 1000 no, 2000 ok, 2100 no, 2500 no, 3100 ban 4000',
  ],
  ['continues to count after a step of the clock', day, `${back}, -99000 ban 4000`],
  [
    'counts a rejection no longer after a step and a window',
    day,
    `${back}, -88000 no, -87000 no, -86999 ban 4000`,
  ],
  [
    'counts again from zero after a step and an admission',
    2_000,
    '0 ok, 500 no, -100000 no, -98000 ok, -97900 no, -97500 no',
  ],
  ['counts rejections before an admission', 2_000, '0 ok, 100 no, 500 no, 2000 ok, 2100+2@1200 ban 3100'],
  [
    'counts reports by their time',
    2_000,
    '0+0@-100 ok, 100 no, 1050 no, 2000+0@100 ok, 2100 no, 2500 ban 4000',
  ],
]

describe('a ban', () => {
  it('starts with the 100th counted rejection within a minute', () => {
    const account = rejected(98)
    const now = epoch + minuteMs - 1
    assert.ok(!at(account, now - 1).banned)
    const shown = { banned: true, limit: 1, remaining: 0, reset: Math.ceil((now + 15 * minuteMs) / 1000) }
    assert.deepEqual(at(account, now), { ...shown, allowed: false, waitMs: 15 * minuteMs })
    assert.deepEqual(peekAccount(account, limits, now), { ...shown, allowed: true, waitMs: 0 })
  })

  it('counts earlier rejections, except those made during it', () => {
    const now = epoch + 1_000
    const account = rejected(1)
    assert.ok(!at(account, now, { count: 97, at: now }).banned)
    assert.equal(at(account, now, { count: 10_000, at: now }).waitMs, 15 * minuteMs)
    for (const ms of [1_000, 3_000])
      assert.equal(at(account, now + ms, { count: 5_000, at: now + ms }).waitMs, 15 * minuteMs - ms)
    assert.ok(!at(account, now + 15 * minuteMs).banned)
  })

  it('charges nothing while it lasts', () => {
    const both = [...limits.map((limit) => ({ ...limit, requests: 5 })), { requests: 1, windowMs: 2_000 }]
    const account = createAccount(both, epoch)
    const send = (now: number) => decide(account, both, defaultBanPolicy, now)
    for (const ms of [0, 1, ...new Array<number>(99).fill(1_001)]) send(epoch + ms)
    for (let i = 1; i <= 10; i++) assert.ok(send(epoch + i * 10_000).banned)
    const after = epoch + 16 * minuteMs
    for (let left = 3; left >= 0; left--)
      assert.ok(send(after + (3 - left) * 2_000).allowed, `${left} are left`)
    assert.ok(!send(after + 10_000).allowed)
  })

  for (const [what, windowMs, story] of stories)
    it(what, () => {
      const once = [{ requests: 1, windowMs }]
      const account = createAccount(once, epoch)
      for (const step of story.split(', ')) {
        const [, ms, count, at, expected] = /^(-?\d+)(?:\+(\d+)@(-?\d+))? (.+)$/.exec(step) ?? []
        const earlier = count ? { count: Number(count), at: epoch + Number(at) } : undefined
        const { allowed, banned, waitMs } = decide(account, once, small, epoch + Number(ms), earlier)
        assert.equal(banned ? `ban ${waitMs}` : allowed ? 'ok' : 'no', expected, step)
      }
    })

  it('lasts at most a day by default', () => assert.equal(defaultBanPolicy.longestMs, day))
})

const hundred = [0, 0, ...new Array<number>(99).fill(1_000)]
describe('an account counts as new', () => {
  for (const [what, policy, times, forMs] of [
    ['when its rejections count no longer', defaultBanPolicy, [0, 500], 500 + minuteMs],
    ['when its limits have their full number, without bans', undefined, [0, 500], 2_000],
    ['when its bans double no longer', defaultBanPolicy, hundred, 1_000 + 15 * minuteMs + day],
  ] as const)
    it(what, () => {
      const two = [{ requests: 1, windowMs: 2_000 }]
      const account = createAccount(two, epoch)
      for (const ms of times) decide(account, two, policy, epoch + ms)
      assert.equal(accountEmptyAt(account), epoch + forMs)
    })
})

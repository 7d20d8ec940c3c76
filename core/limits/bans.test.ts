import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { testStartMs } from '../testing/test-clock.ts'
import type { Account } from './account.ts'
import { type BanPolicy, defaultBanPolicy } from './bans.ts'
import { accountEmptyAt, createAccount, decide, peekAccount } from './decide.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const limits = [{ requests: 1, windowMs: 90 * 24 * hourMs }]

const decideAt = (account: Account, now: number) => decide(account, limits, defaultBanPolicy, now)

/** Creates an account with one allowed request, and then `count` rejections in a streak. */
function createRejectedAccount(count: number): Account {
  const account = createAccount(limits, testStartMs - 2_000)
  assert.ok(decideAt(account, testStartMs - 2_000).allowed)
  for (let i = 0; i < count; i++)
    assert.ok(!decideAt(account, i === 0 ? testStartMs : testStartMs + 1_000).allowed)
  return account
}

/** A ban starts after 3 rejections within 10 s. */
const shortPolicy: BanPolicy = {
  rejections: 3,
  windowMs: 10_000,
  firstBanMs: 4_000,
  maxBanMs: 15_000,
  resetAfterMs: 5_000,
}
const day = 24 * hourMs
const rejectedOnce = '0 ok, 0 no'
const bannedOnce = `${rejectedOnce}, 1000 no, 1001 ban 4000`
const rejectedAfterStepBack = `${rejectedOnce}, 1000 no, -100000 no`
const bannedTwice = `${bannedOnce}, 5001 no, 6001 no, 6002 ban 8000`

/**
 * Request times in milliseconds, each with its expected result: allowed (`ok`), rejected (`no`), or banned with the
 * wait.
 */
const banTimelines: readonly (readonly [what: string, windowMs: number, story: string])[] = [
  [
    'counts all rejections in the first second of a streak as one',
    day,
    `${rejectedOnce}, 999 no, 1000 no, 1001 ban 4000`,
  ],
  [
    'does not extend a ban because of further requests',
    day,
    `${bannedOnce}, 2000 ban 3001, 5000 ban 1, 5001 no`,
  ],
  [
    'doubles the length of each further ban up to the maximum',
    day,
    `${bannedTwice}, 14002 no, 15002 no, 15003 ban 15000`,
  ],
  ['does not extend a ban when the clock is set back', day, `${bannedOnce}, -100000 ban 5001, -94999 no`],
  [
    'doubles the next ban until resetAfterMs has passed',
    day,
    `${bannedOnce}, 9000 no, 10000 no, 10000 ban 8000`,
  ],
  [
    'starts with a first ban again after resetAfterMs',
    day,
    `${bannedOnce}, 9000 no, 10000 no, 10001 ban 4000`,
  ],
  ['counts a rejection until the window ends', day, `${rejectedOnce}, 1500 no, 9999 ban 4000`],
  [
    'does not count a rejection after the window ends',
    day,
    `${rejectedOnce}, 1500 no, 10000 no, 10999 ban 4000`,
  ],
  ['slides the window in 10 steps', day, `${rejectedOnce}, 1500 no, 10000 no, 11000 no, 11001 ban 4000`],
  [
    'starts counting again after a window without rejections',
    day,
    `${rejectedOnce}, 10000 no, 10500 no, 11000 no, 11001 ban 4000`,
  ],
  [
    'continues a streak if a request is allowed within a second',
    2_000,
    '0 ok, 1001 no, 2000 ok, 2100 no, 2500 ban 4000',
  ],
  [
    'starts a new streak after an allowed request',
    2_000,
    '0 ok, 1000 no, 2000 ok, 2100 no, 2500 no, 3100 ban 4000',
  ],
  ['continues a streak when the clock is set back', day, `${rejectedAfterStepBack}, -99000 ban 4000`],
  [
    'ends the window as usual after the clock was set back',
    day,
    `${rejectedAfterStepBack}, -88000 no, -87000 no, -86999 ban 4000`,
  ],
  [
    'starts a new streak after the clock was set back',
    2_000,
    '0 ok, 500 no, -100000 no, -98000 ok, -97900 no, -97500 no',
  ],
]

describe('the ban policy', () => {
  it('starts a 15-minute ban at the 100th rejection', () => {
    const account = createRejectedAccount(98)
    const nowMs = testStartMs + minuteMs - 1
    assert.ok(!decideAt(account, nowMs - 1).banned)
    const shownDecision = {
      banned: true,
      limit: 1,
      remaining: 0,
      reset: Math.ceil((nowMs + 15 * minuteMs) / 1000),
    }
    assert.deepEqual(decideAt(account, nowMs), { ...shownDecision, allowed: false, waitMs: 15 * minuteMs })
    assert.deepEqual(peekAccount(account, limits, nowMs), { ...shownDecision, allowed: true, waitMs: 0 })
  })

  it('charges nothing during a ban', () => {
    const twoLimits = [
      ...limits.map((limit) => ({ ...limit, requests: 5 })),
      { requests: 1, windowMs: 2_000 },
    ]
    const account = createAccount(twoLimits, testStartMs)
    const sendAt = (now: number) => decide(account, twoLimits, defaultBanPolicy, now)
    for (const ms of [0, 1, ...new Array<number>(99).fill(1_001)]) sendAt(testStartMs + ms)
    for (let i = 1; i <= 10; i++) assert.ok(sendAt(testStartMs + i * 10_000).banned)
    const afterBan = testStartMs + 16 * minuteMs
    for (let left = 3; left >= 0; left--)
      assert.ok(sendAt(afterBan + (3 - left) * 2_000).allowed, `${left} are left`)
    assert.ok(!sendAt(afterBan + 10_000).allowed)
  })

  for (const [what, windowMs, story] of banTimelines)
    it(what, () => {
      const singleLimit = [{ requests: 1, windowMs }]
      const account = createAccount(singleLimit, testStartMs)
      for (const step of story.split(', ')) {
        const [, ms, expected] = /^(-?\d+) (.+)$/.exec(step) ?? []
        const { allowed, banned, waitMs } = decide(
          account,
          singleLimit,
          shortPolicy,
          testStartMs + Number(ms),
        )
        assert.equal(banned ? `ban ${waitMs}` : allowed ? 'ok' : 'no', expected, step)
      }
    })

  it('limits a ban to 24 hours', () => assert.equal(defaultBanPolicy.maxBanMs, day))
})

const hundredRejections = [0, 0, ...new Array<number>(99).fill(1_000)]
describe('an account', () => {
  for (const [what, policy, times, forMs] of [
    ['expires when its rejections no longer count', defaultBanPolicy, [0, 500], 500 + minuteMs],
    ['expires when all requests are available, without bans', undefined, [0, 500], 2_000],
    [
      'expires when its bans no longer double the next one',
      defaultBanPolicy,
      hundredRejections,
      1_000 + 15 * minuteMs + day,
    ],
  ] as const)
    it(what, () => {
      const shortLimit = [{ requests: 1, windowMs: 2_000 }]
      const account = createAccount(shortLimit, testStartMs)
      for (const ms of times) decide(account, shortLimit, policy, testStartMs + ms)
      assert.equal(accountEmptyAt(account), testStartMs + forMs)
    })
})

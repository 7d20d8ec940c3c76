import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { testStartMs } from '../testing/test-clock.ts'
import type { Account } from './account.ts'
import { chargeAccount, type Decision, type Limit } from './bucket.ts'
import { accountEmptyAt, createAccount, decide, peekAccount } from './decide.ts'
import * as fields from './fields.ts'

/* one second, so that resets in seconds are exact */
const tickMs = 1_000
const maxRequests = 3
const maxWindowTicks = 6

interface State {
  readonly account: Account
  /** Times when requests were allowed. */
  readonly log: readonly number[]
  readonly now: number
}

/** Copies an account without the limits before limit `i`. */
function isolateLimit(account: Account, i: number): Account {
  return account.toSpliced(fields.firstLimit, 3 * i) as Account // the array keeps its fixed fields
}

/**
 * Checks a decision against the laws in section 5 of the design.
 *
 * @param maxRequestsBefore - Largest number of requests that a limit has had if limits change, otherwise 0.
 */
function checkLaws(
  { account, log, now }: State,
  limits: readonly Limit[],
  maxRequestsBefore: number,
  decision: Decision,
): void {
  const { allowed, limit, remaining, reset, waitMs } = decision
  const countRecent = (ms: number) => log.filter((time) => time > now - ms).length
  const decideAt = (time: number) => decide([...account], limits, undefined, time)
  const limitDecisions = limits.map((one, i) => {
    const hasAllTokens = (time: number) =>
      chargeAccount(isolateLimit(account, i), [one], time, 0).remaining === one.requests
    const [peeked, charged] = [isolateLimit(account, i), isolateLimit(account, i)]
    const peekedLimits = chargeAccount(peeked, [one], now, 0)
    return {
      ...peekedLimits,
      waitMs: chargeAccount(charged, [one], now, 1).waitMs,
      end: accountEmptyAt(peeked),
      hasAll: hasAllTokens,
      one,
    }
  })
  limitDecisions.sort((a, b) => (allowed ? a.remaining - b.remaining || b.end - a.end : b.waitMs - a.waitMs))
  const shownDecision = limitDecisions[0]
  assert.ok(shownDecision)
  assert.deepEqual(
    [limit, remaining, reset],
    [shownDecision.limit, shownDecision.remaining, shownDecision.reset],
  )
  assert.ok(shownDecision.hasAll(reset * 1_000), 'the limit that is shown has its full number at its reset')
  if (reset * 1_000 > now) assert.ok(!shownDecision.hasAll(reset * 1_000 - tickMs), 'and no sooner')
  assert.ok(
    waitMs <= shownDecision.one.windowMs && reset * 1_000 <= now + shownDecision.one.windowMs,
    'no wait exceeds a window',
  )
  if (allowed) {
    for (const one of limits)
      assert.ok(countRecent(one.windowMs) < 2 * Math.max(maxRequestsBefore, one.requests))
    const accountCopy: Account = [...account]
    for (let i = 0; i < remaining; i++) assert.ok(decide(accountCopy, limits, undefined, now).allowed)
    assert.ok(!decide(accountCopy, limits, undefined, now).allowed)
    assert.deepEqual(peekAccount(account, limits, now), decision)
  } else {
    // A rejection must be explained by requests within one window, or within two windows if limits change.
    const windowCount = maxRequestsBefore > 0 ? 2 : 1
    assert.ok(limits.some(({ requests, windowMs }) => countRecent(windowCount * windowMs) >= requests))
    assert.ok(decideAt(now + waitMs).allowed && !decideAt(now + waitMs - 1).allowed)
  }
  const expiry = accountEmptyAt(account)
  const isEmpty = (time: number) => limitDecisions.every(({ hasAll }) => hasAll(time))
  assert.deepEqual([isEmpty(expiry - 1), isEmpty(expiry)], [false, true])
}

/**
 * Sends requests at every whole second until no new state appears, and returns the number of states. Each request may
 * use any of the given limits, whose windows are the same. A rejection leaves the state as it was.
 */
function exploreStates(choices: readonly (readonly Limit[])[]): number {
  const allChoices = choices.flat()
  const longestMs = Math.max(...allChoices.map(({ windowMs }) => windowMs))
  const maxRequestsBefore = choices.length === 1 ? 0 : Math.max(...allChoices.map(({ requests }) => requests))
  const windowCount = maxRequestsBefore > 0 ? 2 : 1
  const reachedStates: State[] = [
    { account: createAccount(choices[0] ?? [], testStartMs), log: [], now: testStartMs },
  ]
  const seenStates = new Set<string>()
  // A rejection may change when the account expires.
  const omitExpiry = (account: Account) => account.toSpliced(fields.expiresAt, 1)
  for (const { account, log, now: before } of reachedStates) {
    for (let now = before; now <= before + longestMs + tickMs; now += tickMs) {
      for (const limits of choices) {
        const nextAccount: Account = [...account]
        const decision = decide(nextAccount, limits, undefined, now)
        const recentTimes = log.filter((time) => time > now - windowCount * longestMs)
        if (!decision.allowed) assert.deepEqual(omitExpiry(nextAccount), omitExpiry(account))
        const nextState = {
          account: nextAccount,
          log: decision.allowed ? [...recentTimes, now] : recentTimes,
          now,
        }
        checkLaws(nextState, limits, maxRequestsBefore, decision)
        const usage = limits.flatMap((_, i) => {
          const [debt = 0, start = 0, count] = nextAccount.slice(fields.firstLimit + 3 * i)
          return [debt, now - start, count]
        })
        const key = `${usage} ${accountEmptyAt(nextAccount) - now} ${nextState.log.map((time) => now - time)}`
        if (!decision.allowed || seenStates.has(key)) continue
        seenStates.add(key)
        reachedStates.push(nextState)
      }
    }
  }
  return seenStates.size
}

const requestCounts = Array.from({ length: maxRequests }, (_, i) => i + 1)
const windows = Array.from({ length: maxWindowTicks }, (_, i) => (i + 1) * tickMs)

describe('the rate limit laws', () => {
  it('hold for every pair of limits', () => {
    const limitCombinations = requestCounts.flatMap((requests) =>
      windows.map((windowMs) => ({ requests, windowMs })),
    )
    let states = 0
    for (const first of limitCombinations)
      for (const second of limitCombinations.slice(limitCombinations.indexOf(first)))
        states += exploreStates([[first, second]])
    assert.ok(states > 4_000, `${states} states`)
  })

  it('hold when one limit changes', () => {
    let states = 0
    for (const windowMs of windows.slice(0, 3))
      states += exploreStates(requestCounts.map((requests) => [{ requests, windowMs }]))
    assert.ok(states > 100, `${states} states`)
  })

  it('hold when two limits change', () => {
    const [shortMs, longMs] = [2 * tickMs, 3 * tickMs]
    const states = exploreStates(
      [1, 3].flatMap((short) =>
        [2, 3].map((long) => [
          { requests: short, windowMs: shortMs },
          { requests: long, windowMs: longMs },
        ]),
      ),
    )
    assert.ok(states > 100, `${states} states`)
  })
})

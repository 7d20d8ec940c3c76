import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { epoch } from '../testing/traffic.ts'
import { type Account, fields } from './account.ts'
import { charge, type Decision, type Limit } from './bucket.ts'
import { accountEmptyAt, createAccount, decide, peekAccount } from './decide.ts'

/*
 * Explores every state that two small limits can reach, for every timing of requests. A tick is 1 s, so that resets are
 * exact.
 */
const tickMs = 1_000
const mostRequests = 3
const longestWindow = 6

interface State {
  readonly account: Account
  /** Times of admitted requests, as far as a window reaches back. */
  readonly log: readonly number[]
  readonly now: number
}

/** Returns an account as if it had only the limit of an index. */
function alone(account: Account, i: number): Account {
  return account.toSpliced(fields.limits, 3 * i) as Account // what is left has a limit
}

/**
 * Asserts the laws of section 5 for a decision.
 *
 * @param most - The largest number of requests that the limits had before if they change; otherwise 0.
 */
function checkLaws(
  { account, log, now }: State,
  limits: readonly Limit[],
  most: number,
  decision: Decision,
): void {
  const { allowed, limit, remaining, reset, waitMs } = decision
  const trailing = (ms: number) => log.filter((time) => time > now - ms).length
  const decideAt = (time: number) => decide([...account], limits, undefined, time)
  const each = limits.map((one, i) => {
    const hasAll = (time: number) => charge(alone(account, i), [one], time, 0).remaining === one.requests
    const [peeked, charged] = [alone(account, i), alone(account, i)]
    const numbers = charge(peeked, [one], now, 0)
    return {
      ...numbers,
      waitMs: charge(charged, [one], now, 1).waitMs,
      end: accountEmptyAt(peeked),
      hasAll,
      one,
    }
  })
  each.sort((a, b) => (allowed ? a.remaining - b.remaining || b.end - a.end : b.waitMs - a.waitMs))
  const shown = each[0]
  assert.ok(shown)
  assert.deepEqual([limit, remaining, reset], [shown.limit, shown.remaining, shown.reset])
  assert.ok(shown.hasAll(reset * 1_000), 'the limit that is shown has its full number at its reset')
  if (reset * 1_000 > now) assert.ok(!shown.hasAll(reset * 1_000 - tickMs), 'and no sooner')
  assert.ok(
    waitMs <= shown.one.windowMs && reset * 1_000 <= now + shown.one.windowMs,
    'no wait exceeds a window',
  )
  if (allowed) {
    for (const one of limits) assert.ok(trailing(one.windowMs) < 2 * Math.max(most, one.requests))
    const copy: Account = [...account]
    for (let i = 0; i < remaining; i++) assert.ok(decide(copy, limits, undefined, now).allowed)
    assert.ok(!decide(copy, limits, undefined, now).allowed)
    assert.deepEqual(peekAccount(account, limits, now), decision)
  } else {
    // What larger limits admitted may still count for a second window.
    const reach = most > 0 ? 2 : 1
    assert.ok(limits.some(({ requests, windowMs }) => trailing(reach * windowMs) >= requests))
    assert.ok(decideAt(now + waitMs).allowed && !decideAt(now + waitMs - 1).allowed)
  }
  const end = accountEmptyAt(account)
  const isEmpty = (time: number) => each.every(({ hasAll }) => hasAll(time))
  assert.deepEqual([isEmpty(end - 1), isEmpty(end)], [false, true])
}

/**
 * Visits every state after an admission: a rejection leaves the state as it was. Before each request, the limits become
 * any of the choices, which have the same windows.
 *
 * @returns The number of states.
 */
function explore(choices: readonly (readonly Limit[])[]): number {
  const all = choices.flat()
  const longestMs = Math.max(...all.map(({ windowMs }) => windowMs))
  const most = choices.length === 1 ? 0 : Math.max(...all.map(({ requests }) => requests))
  const reach = most > 0 ? 2 : 1
  const states: State[] = [{ account: createAccount(choices[0] ?? [], epoch), log: [], now: epoch }]
  const seen = new Set<string>()
  const used = (account: Account) => account.toSpliced(fields.endsAt, 1) // a rejection may change when it ends
  for (const { account, log, now: before } of states) {
    for (let now = before; now <= before + longestMs + tickMs; now += tickMs) {
      for (const limits of choices) {
        const next: Account = [...account]
        const decision = decide(next, limits, undefined, now)
        const recent = log.filter((time) => time > now - reach * longestMs)
        if (!decision.allowed) assert.deepEqual(used(next), used(account))
        const state = { account: next, log: decision.allowed ? [...recent, now] : recent, now }
        checkLaws(state, limits, most, decision)
        const uses = limits.flatMap((_, i) => {
          const [debt = 0, start = 0, count] = next.slice(fields.limits + 3 * i)
          return [debt, now - start, count]
        })
        const key = `${uses} ${accountEmptyAt(next) - now} ${state.log.map((time) => now - time)}`
        if (!decision.allowed || seen.has(key)) continue
        seen.add(key)
        states.push(state)
      }
    }
  }
  return seen.size
}

const requestCounts = Array.from({ length: mostRequests }, (_, i) => i + 1)
const windows = Array.from({ length: longestWindow }, (_, i) => (i + 1) * tickMs)

describe('the laws of the design', () => {
  it('hold for every decision on two limits', () => {
    const all = requestCounts.flatMap((requests) => windows.map((windowMs) => ({ requests, windowMs })))
    let states = 0
    for (const first of all)
      for (const second of all.slice(all.indexOf(first))) states += explore([[first, second]])
    assert.ok(states > 4_000, `${states} states`)
  })

  it('hold for every decision on a limit that changes', () => {
    let states = 0
    for (const windowMs of windows.slice(0, 3))
      states += explore(requestCounts.map((requests) => [{ requests, windowMs }]))
    assert.ok(states > 100, `${states} states`)
  })

  it('hold for every decision on two limits that change', () => {
    const [shortMs, longMs] = [2 * tickMs, 3 * tickMs]
    const states = explore(
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

import assert from 'node:assert/strict'
import { it } from 'node:test'
import { epoch } from '../testing/traffic.ts'
import { type Account, fields } from './account.ts'
import { charge, type Decision, type Limit } from './bucket.ts'
import { accountEmptyAt, createAccount } from './decide.ts'

/*
 * Every state that two small limits can reach, whenever requests come. A tick is a second, so that resets are exact.
 */
const tickMs = 1_000
const mostRequests = 3
const longestWindow = 6

interface State {
  readonly account: Account
  /** When requests were admitted, as far as a window reaches back. */
  readonly log: readonly number[]
  readonly now: number
}

/** Returns an account as if it had only the limit of an index. */
function alone(account: Account, i: number): Account {
  return account.toSpliced(fields.limits, 3 * i) as Account // what is left has a limit
}

/** What must hold of a decision on an account, whatever led to it. */
function checkLaws({ account, log, now }: State, limits: readonly Limit[], decision: Decision): void {
  const { allowed, limit, remaining, reset, waitMs } = decision
  const trailing = ({ windowMs }: Limit) => log.filter((time) => time > now - windowMs).length
  const decideAt = (time: number, cost: 0 | 1 = 1) => charge([...account], limits, time, cost)
  const each = limits.map((one, i) => {
    const isWhole = (time: number) => charge(alone(account, i), [one], time, 0).remaining === one.requests
    const [peeked, charged] = [alone(account, i), alone(account, i)]
    const numbers = charge(peeked, [one], now, 0)
    return { ...numbers, waitMs: charge(charged, [one], now, 1).waitMs, end: accountEmptyAt(peeked), isWhole }
  })
  each.sort((a, b) => (allowed ? a.remaining - b.remaining || b.end - a.end : b.waitMs - a.waitMs))
  const [shown] = each
  assert.deepEqual([limit, remaining, reset], [shown?.limit, shown?.remaining, shown?.reset])
  assert.ok(shown?.isWhole(reset * 1_000), 'the limit that is shown is whole again at its reset')
  if (reset * 1_000 > now) assert.ok(!shown?.isWhole(reset * 1_000 - tickMs), 'and no sooner')
  if (allowed) {
    for (const one of limits) assert.ok(trailing(one) < 2 * one.requests)
    const copy: Account = [...account]
    for (let i = 0; i < remaining; i++) assert.ok(charge(copy, limits, now, 1).allowed)
    assert.ok(!charge(copy, limits, now, 1).allowed)
    assert.deepEqual(decideAt(now, 0), decision)
  } else {
    assert.ok(limits.some((one) => trailing(one) >= one.requests))
    assert.ok(decideAt(now + waitMs).allowed && !decideAt(now + waitMs - 1).allowed)
  }
  const end = accountEmptyAt(account)
  const isEmpty = (time: number) => each.every(({ isWhole }) => isWhole(time))
  assert.deepEqual([isEmpty(end - 1), isEmpty(end)], [false, true])
}

/** Visits every state after an admission, and returns how many there are: a rejection leaves the state as it was. */
function explore(limits: readonly Limit[]): number {
  const longestMs = Math.max(...limits.map(({ windowMs }) => windowMs))
  const states: State[] = [{ account: createAccount(limits, epoch), log: [], now: epoch }]
  const seen = new Set<string>()
  for (const { account, log, now: before } of states) {
    for (let now = before; now <= before + longestMs + tickMs; now += tickMs) {
      const next: Account = [...account]
      const decision = charge(next, limits, now, 1)
      const recent = log.filter((time) => time > now - longestMs)
      if (!decision.allowed) assert.deepEqual(next, account)
      const state = { account: next, log: decision.allowed ? [...recent, now] : recent, now }
      checkLaws(state, limits, decision)
      const uses = limits.flatMap((_, i) => {
        const [debt = 0, start = 0, used] = next.slice(fields.limits + 3 * i)
        return [debt, now - start, used]
      })
      const key = `${uses} ${state.log.map((time) => now - time)}`
      if (!decision.allowed || seen.has(key)) continue
      seen.add(key)
      states.push(state)
    }
  }
  return seen.size
}

it('every decision on two limits of at most 3 in 6 ticks keeps the laws of the design', () => {
  const all: Limit[] = []
  for (let requests = 1; requests <= mostRequests; requests++)
    for (let ticks = 1; ticks <= longestWindow; ticks++) all.push({ requests, windowMs: ticks * tickMs })
  let states = 0
  for (const first of all)
    for (const second of all.slice(all.indexOf(first))) states += explore([first, second])
  assert.ok(states > 4_000, `${states} states`)
})

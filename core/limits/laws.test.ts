import assert from 'node:assert/strict'
import { it } from 'node:test'
import { alone } from '../testing/account.ts'
import { epoch } from '../testing/traffic.ts'
import { type Account, fields } from './account.ts'
import { charge, type Decision, type Limit } from './bucket.ts'
import { createAccount } from './decide.ts'

/*
 * Every state that two small limits can reach, whenever requests come. A tick is a second, so that resets are exact.
 */
const tickMs = 1_000
const mostRequests = 3
const longestWindow = 6

/** What is used of a limit: the debt in request-milliseconds, the start of the window, and its admitted requests. */
interface Use {
  readonly debt: number
  readonly start: number
  readonly used: number
}

/** The model: the rules of a limit in the words of the design, each on its own. */
interface Model {
  readonly at: number
  readonly uses: readonly Use[]
}

function refill({ debt, start, used }: Use, { requests, windowMs }: Limit, at: number, now: number): Use {
  const left = Math.max(0, debt - (now - at) * requests)
  return used === 0 || now >= start + windowMs
    ? { debt: left, start: now, used: 0 }
    : { debt: left, start, used }
}

function waitOf({ debt, start, used }: Use, { requests, windowMs }: Limit, now: number): number {
  const drip = Math.max(0, Math.ceil((debt - (requests - 1) * windowMs) / requests))
  return Math.max(drip, used + 1 > requests ? start + windowMs - now : 0)
}

function remainingOf({ debt, used }: Use, { requests, windowMs }: Limit): number {
  return Math.max(0, Math.min(Math.floor((requests * windowMs - debt) / windowMs), requests - used))
}

function resetOf({ debt, start, used }: Use, { requests, windowMs }: Limit, now: number): number {
  return Math.max(now + Math.ceil(debt / requests), used > 0 ? start + windowMs : now)
}

/** Returns what the design says of a request at `now`, and the model after it. */
function expect({ at, uses }: Model, limits: readonly Limit[], now: number): [Decision, Model] {
  const before = uses.map((use, i) => refill(use, limits[i] as Limit, at, now)) // a use for each limit
  const waits = before.map((use, i) => waitOf(use, limits[i] as Limit, now))
  const waitMs = Math.max(...waits)
  const charged = before.map(({ debt, start, used }, i) => ({
    debt: debt + (limits[i]?.windowMs ?? 0),
    start,
    used: used + 1,
  }))
  const after = waitMs === 0 ? charged : before
  const shown = limits.map((limit, i) => {
    const use = after[i] as Use
    return {
      limit: limit.requests,
      wait: waits[i] ?? 0,
      left: remainingOf(use, limit),
      reset: resetOf(use, limit, now),
    }
  })
  shown.sort((a, b) => (waitMs > 0 ? b.wait - a.wait : a.left - b.left || b.reset - a.reset))
  const [{ limit, left: remaining, reset }] = shown as [(typeof shown)[0]] // there is a limit
  const decision = {
    allowed: waitMs === 0,
    banned: false,
    limit,
    remaining,
    reset: Math.ceil(reset / 1000),
    waitMs,
  }
  return [decision, waitMs === 0 ? { at: now, uses: after } : { at, uses }]
}

interface State {
  readonly account: Account
  readonly model: Model
  /** When requests were admitted, as far as a window reaches back. */
  readonly log: readonly number[]
  readonly now: number
}

/** What must hold of a decision, whatever led to it. */
function checkLaws({ account, log, now }: State, limits: readonly Limit[], decision: Decision): void {
  const trailing = ({ windowMs }: Limit) => log.filter((time) => time > now - windowMs).length
  const isAdmittedAt = (time: number) => charge([...account], limits, time, 1).allowed
  if (decision.allowed) {
    for (const limit of limits) assert.ok(trailing(limit) < 2 * limit.requests)
    const copy: Account = [...account]
    for (let i = 0; i < decision.remaining; i++) assert.ok(charge(copy, limits, now, 1).allowed)
    assert.ok(!charge(copy, limits, now, 1).allowed)
  } else {
    assert.ok(limits.some((limit) => trailing(limit) >= limit.requests))
    assert.ok(isAdmittedAt(now + decision.waitMs) && !isAdmittedAt(now + decision.waitMs - 1))
  }
  const whole = limits.some(
    (limit, i) =>
      limit.requests === decision.limit &&
      charge(alone(account, i), [limit], decision.reset * 1_000, 0).remaining === limit.requests,
  )
  assert.ok(whole, 'the limit that is shown is whole again at its reset')
}

/** Visits every state, and returns how many there are. */
function explore(limits: readonly Limit[]): number {
  const longestMs = Math.max(...limits.map(({ windowMs }) => windowMs))
  const uses = limits.map(() => ({ debt: 0, start: epoch, used: 0 }))
  const states: State[] = [
    { account: createAccount(limits, epoch), model: { at: epoch, uses }, log: [], now: epoch },
  ]
  const seen = new Set<string>()
  for (const { account, model, log, now: before } of states) {
    for (let now = before; now <= before + longestMs + tickMs; now += tickMs) {
      const next: Account = [...account]
      const [expected, after] = expect(model, limits, now)
      const decision = charge(next, limits, now, 1)
      assert.deepEqual(decision, expected)
      if (decision.allowed) assert.deepEqual(charge(next, limits, now, 0), decision)
      else assert.deepEqual(next.toSpliced(fields.endsAt, 1), account.toSpliced(fields.endsAt, 1))
      const recent = log.filter((time) => time > now - longestMs)
      const state = { account: next, model: after, log: decision.allowed ? [...recent, now] : recent, now }
      const forward = after.uses.map((use, i) => refill(use, limits[i] as Limit, after.at, now))
      const key = `${forward.map(({ debt, start, used }) => [debt, now - start, used])} ${state.log.map((time) => now - time)}`
      if (seen.has(key)) continue
      seen.add(key)
      checkLaws(state, limits, decision)
      states.push(state)
    }
  }
  return seen.size
}

it('every decision on two limits of at most 3 in 6 ticks is that of the design, and keeps its laws', () => {
  const all: Limit[] = []
  for (let requests = 1; requests <= mostRequests; requests++)
    for (let ticks = 1; ticks <= longestWindow; ticks++) all.push({ requests, windowMs: ticks * tickMs })
  let states = 0
  for (const first of all)
    for (const second of all.slice(all.indexOf(first))) states += explore([first, second])
  assert.ok(states > 10_000, `${states} states`)
})

import assert from 'node:assert/strict'
import { describe, it, mock } from 'node:test'
import type { Outcome, ReceivedResponse } from '../transcript/transcript.ts'
import { createPace, realClock } from './pace.ts'

const start = Date.parse('2026-11-20T12:00:00Z')

/** A pace on a clock that only `sleep` advances, with the sleeps that it has asked for. */
function pacing(pace?: number) {
  let now = start
  const sleeps: number[] = []
  const reasons: unknown[] = []
  const clock = {
    now: () => now,
    elapsed: () => now,
    async sleep(ms: number, reason?: string) {
      now += ms
      sleeps.push(ms)
      reasons.push(reason)
    },
  }
  const pass = (ms: number): void => {
    now += ms
  }
  return { pace: createPace({ clock, ...(pace !== undefined && { pace }) }), sleeps, reasons, pass }
}

/** A response with the limit headers: `resetIn` seconds from the start, by a clock that is `ahead` seconds ahead. */
function shows(remaining: number, resetIn: number, { limit = 60, ahead = 0, hasDate = true } = {}): Outcome {
  const headers: ReceivedResponse['headers'] = [
    ['x-ratelimit-limit', String(limit)],
    ['x-ratelimit-remaining', String(remaining)],
    ['x-ratelimit-reset', String(start / 1000 + resetIn + ahead)],
    ...(hasDate ? [['date', new Date(start + ahead * 1000).toUTCString()] as const] : []),
  ]
  const response = { status: 200, headers, body: '', utf8: true, truncated: false, ms: 1 }
  return { kind: 'response', response }
}

describe('the pace of a run', () => {
  it('is ten milliseconds between two requests', async () => {
    const { pace, sleeps } = pacing()
    for (const id of ['a', 'b', 'c']) await pace.beforeRequest(id, 'key')
    assert.deepEqual(sleeps, [10, 10])
  })

  it('sends at most the given requests per second', async () => {
    const { pace, sleeps, pass } = pacing(2)
    await pace.beforeRequest('a', 'key')
    pass(300)
    await pace.beforeRequest('b', 'key')
    pass(600)
    await pace.beforeRequest('c', 'key')
    assert.deepEqual(sleeps, [200, 10])
  })

  it('waits for Reset when no request remains, and says what for', async () => {
    const { pace, sleeps, reasons } = pacing()
    pace.afterResponse('key', shows(0, 42))
    await pace.beforeRequest('list', 'key')
    assert.deepEqual(sleeps, [42_000])
    assert.match(String(reasons[0]), /X-RateLimit-Reset/)
    assert.deepEqual(pace.waits, [{ before: 'list', reason: 'X-RateLimit-Remaining', ms: 42_000 }])
  })

  it('reads Reset by the clock of the server, if there is one', async () => {
    for (const options of [{ ahead: 3600 }, { ahead: -3600 }, { hasDate: false }]) {
      const { pace, sleeps } = pacing()
      pace.afterResponse('key', shows(0, 42, options))
      await pace.beforeRequest('list', 'key')
      assert.deepEqual(sleeps, [42_000])
    }
  })

  it('ignores a Reset that is past, far away or not a time', async () => {
    for (const resetIn of [-1, 0, 62, 86_400, -start / 1000 + 30]) {
      const { pace, sleeps } = pacing()
      pace.afterResponse('key', shows(0, resetIn))
      await pace.beforeRequest('list', 'key')
      assert.deepEqual(sleeps, [])
    }
  })

  it('does not wait a second time for a limit that is not there again at Reset', async () => {
    const { pace } = pacing()
    for (const resetIn of [30, 60, 90]) {
      pace.afterResponse('key', shows(0, resetIn))
      await pace.beforeRequest('list', 'key')
    }
    assert.equal(pace.waits.length, 1)
  })

  it('separates key from address; the throttle key is never slowed', async () => {
    const { pace } = pacing()
    pace.afterResponse('key', shows(0, 42))
    pace.afterResponse('throttle-key', shows(0, 42))
    await pace.beforeRequest('none', 'none')
    await pace.beforeRequest('burn', 'throttle-key')
    assert.deepEqual(pace.waits, [])
    await pace.beforeRequest('other case', 'key-other-case')
    assert.equal(pace.waits.length, 1)
  })
})

describe('a 429', () => {
  it('delays the next request by Retry-After instead of Reset', async () => {
    const { pace, sleeps } = pacing()
    pace.afterResponse('key', shows(0, 60))
    await pace.waitOut('list', 1)
    await pace.beforeRequest('list', 'key')
    assert.deepEqual(sleeps, [2000])
  })
})

describe('the real clock', () => {
  it('reads the system time, and measures monotonically', () => {
    // in standby, `performance.now` stands still
    const now = mock.method(Date, 'now', () => 1_795_176_000_000)
    const elapsed = mock.method(performance, 'now', () => 7)
    assert.deepEqual([realClock.now(), realClock.elapsed()], [1_795_176_000_000, 7])
    now.mock.restore()
    elapsed.mock.restore()
  })

  it('sleeps longer than a timer can', async () => {
    const delays: unknown[] = []
    const timeout = mock.method(globalThis, 'setTimeout', (end: () => void, ms: number) => {
      delays.push(ms)
      queueMicrotask(end)
    })
    await realClock.sleep(2 ** 31 + 9)
    timeout.mock.restore()
    assert.deepEqual(delays, [2 ** 31 - 1, 10])
  })
})

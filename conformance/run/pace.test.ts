import assert from 'node:assert/strict'
import { describe, it, mock } from 'node:test'
import type { Outcome, ReceivedResponse } from '../transcript/transcript.ts'
import { createPacer, realClock } from './pace.ts'

const startTime = Date.parse('2026-11-20T12:00:00Z')

function pacing(pace?: number) {
  let now = startTime
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
  return { pace: createPacer({ clock, ...(pace !== undefined && { pace }) }), sleeps, reasons, pass }
}

/**
 * Creates a response with rate-limit headers. `resetIn` and `ahead`, the lead of the server's clock, are in seconds.
 */
function showLimits(
  remaining: number,
  resetIn: number,
  { limit = 60, ahead = 0, hasDate = true } = {},
): Outcome {
  const headers: ReceivedResponse['headers'] = [
    ['x-ratelimit-limit', String(limit)],
    ['x-ratelimit-remaining', String(remaining)],
    ['x-ratelimit-reset', String(startTime / 1000 + resetIn + ahead)],
    ...(hasDate ? [['date', new Date(startTime + ahead * 1000).toUTCString()] as const] : []),
  ]
  const response = { status: 200, headers, body: '', utf8: true, truncated: false, ms: 1 }
  return { response }
}

describe('the pacer', () => {
  it('pauses for 10 ms between requests', async () => {
    const { pace, sleeps } = pacing()
    for (const id of ['a', 'b', 'c']) await pace.beforeRequest(id, 'key')
    assert.deepEqual(sleeps, [10, 10])
  })

  it('keeps to the requested pace', async () => {
    const { pace, sleeps, pass } = pacing(2)
    await pace.beforeRequest('a', 'key')
    pass(300)
    await pace.beforeRequest('b', 'key')
    pass(600)
    await pace.beforeRequest('c', 'key')
    assert.deepEqual(sleeps, [200, 10])
  })

  it('waits for Reset if no requests remain, and gives the reason', async () => {
    const { pace, sleeps, reasons } = pacing()
    pace.afterResponse('key', showLimits(0, 42))
    await pace.beforeRequest('list', 'key')
    assert.deepEqual(sleeps, [42_000])
    assert.match(String(reasons[0]), /X-RateLimit-Reset/)
    assert.deepEqual(pace.waits, [{ before: 'list', reason: 'X-RateLimit-Remaining', ms: 42_000 }])
  })

  it('reads Reset by the server clock, even if it is an hour off', async () => {
    for (const options of [{ ahead: 3600 }, { ahead: -3600 }, { hasDate: false }]) {
      const { pace, sleeps } = pacing()
      pace.afterResponse('key', showLimits(0, 42, options))
      await pace.beforeRequest('list', 'key')
      assert.deepEqual(sleeps, [42_000])
    }
  })

  it('does not wait for a Reset that is past or over 61 s away', async () => {
    for (const resetIn of [-1, 0, 62, 86_400, -startTime / 1000 + 30]) {
      const { pace, sleeps } = pacing()
      pace.afterResponse('key', showLimits(0, resetIn))
      await pace.beforeRequest('list', 'key')
      assert.deepEqual(sleeps, [])
    }
  })

  it('waits once if no requests remain after Reset', async () => {
    const { pace } = pacing()
    for (const resetIn of [30, 60, 90]) {
      pace.afterResponse('key', showLimits(0, resetIn))
      await pace.beforeRequest('list', 'key')
    }
    assert.equal(pace.waits.length, 1)
  })

  it('waits only for the limit of the key that is used', async () => {
    const { pace } = pacing()
    pace.afterResponse('key', showLimits(0, 42))
    pace.afterResponse('throttle-key', showLimits(0, 42))
    await pace.beforeRequest('none', 'none')
    await pace.beforeRequest('burn', 'throttle-key')
    assert.deepEqual(pace.waits, [])
    await pace.beforeRequest('other case', 'key-other-case')
    assert.equal(pace.waits.length, 1)
  })
})

describe('a wait for Retry-After', () => {
  it('replaces the wait for Reset', async () => {
    const { pace, sleeps } = pacing()
    pace.afterResponse('key', showLimits(0, 60))
    await pace.waitForRetryAfter('list', 1)
    await pace.beforeRequest('list', 'key')
    assert.deepEqual(sleeps, [2000])
  })
})

describe('waits for rate limits', () => {
  it('take at most 130 s per run', async () => {
    const { pace } = pacing()
    for (const credential of ['none', 'key'] as const) {
      pace.afterResponse(credential, showLimits(0, 60))
      await pace.beforeRequest(credential, credential)
      pace.afterResponse(credential, showLimits(9, 60))
    }
    pace.afterResponse('key', showLimits(0, 5))
    assert.equal(await pace.waitForRetryAfter('list', 30), false)
    await pace.beforeRequest('list', 'key')
    assert.deepEqual(
      pace.waits.map(({ ms }) => ms),
      [60_000, 60_000, 5000],
    )
  })
})

describe('the real clock', () => {
  it('reads the system time', () => {
    // `performance.now` may stop while the machine is suspended.
    const mockedNow = mock.method(Date, 'now', () => 1_795_176_000_000)
    const mockedElapsed = mock.method(performance, 'now', () => 7)
    assert.deepEqual([realClock.now(), realClock.elapsed()], [1_795_176_000_000, 7])
    mockedNow.mock.restore()
    mockedElapsed.mock.restore()
  })

  it('sleeps longer than a single timer can', async () => {
    const delaysMs: unknown[] = []
    const timeout = mock.method(globalThis, 'setTimeout', (end: () => void, ms: number) => {
      delaysMs.push(ms)
      queueMicrotask(end)
    })
    await realClock.sleep(2 ** 31 + 9)
    timeout.mock.restore()
    assert.deepEqual(delaysMs, [2 ** 31 - 1, 10])
  })
})

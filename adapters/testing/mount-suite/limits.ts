import assert from 'node:assert/strict'
import { type Mount, readCode, type SentRequest, type TestResponse, type TestRunner } from '../exchange.ts'
import { authHeaders, now, openMount } from './open-mount.ts'

const minuteMs = 60_000

/** Returns the rate limit headers as numbers. The reset is relative to the test's time, in seconds. */
const readLimits = ({ headers }: TestResponse) => [
  Number(headers.get('x-ratelimit-limit')),
  Number(headers.get('x-ratelimit-remaining')),
  Number(headers.get('x-ratelimit-reset')) - now / 1000,
]

const anonymousRequests: readonly SentRequest[] = [
  {},
  { headers: [authHeaders.unknown] },
  { headers: [authHeaders.expired] },
  { headers: [['Expect', 'wonders']] },
]

const invalidRequests: readonly SentRequest[] = [
  { target: '/v1/pets?limit=0' },
  { target: '/v1/nothing' },
  { method: 'PUT' },
  { method: 'POST', body: '{' },
]

/** Declares tests for rate limits (interface, section 8). */
export function testLimits(mount: Mount, { describe, it }: TestRunner): void {
  describe('rate limits', () => {
    it('count down, and reject requests until Retry-After', async (t) => {
      let time = now
      const sendRequest = await openMount(t, mount, { clock: () => time })
      for (let left = 59; left >= 0; left--) {
        const response = await sendRequest({ headers: [authHeaders.free] })
        assert.deepEqual([response.status, readLimits(response)], [200, [60, left, 60]])
        time += 100
      }
      time += 50
      const rejection = await sendRequest({ headers: [authHeaders.free] })
      assert.equal(readCode(rejection), 'rate_limit_exceeded')
      assert.deepEqual([rejection.headers.get('retry-after'), ...readLimits(rejection)], ['54', 60, 0, 60])
      time = now + minuteMs - 1
      assert.equal((await sendRequest({ headers: [authHeaders.free] })).status, 429)
      time = now + minuteMs
      const servedResponse = await sendRequest({ headers: [authHeaders.free] })
      assert.deepEqual([servedResponse.status, readLimits(servedResponse)], [200, [60, 59, 120]])
    })

    it('apply to a client address without a valid key', async (t) => {
      const sendRequest = await openMount(t, mount)
      assert.equal((await sendRequest({ headers: [authHeaders.free] })).status, 200)
      for (const [i, sent] of anonymousRequests.entries())
        assert.deepEqual(readLimits(await sendRequest(sent)), [60, 59 - i, 60])
      for (let i = anonymousRequests.length; i < 60; i++) assert.equal((await sendRequest({})).status, 401)
      for (const sent of anonymousRequests)
        assert.equal(readCode(await sendRequest(sent)), 'rate_limit_exceeded')
      assert.equal((await sendRequest({ headers: [authHeaders.free] })).status, 200)
    })

    it('do not count requests outside the base path', async (t) => {
      const sendRequest = await openMount(t, mount)
      const outsideRequest = { target: '/elsewhere', headers: [authHeaders.free] }
      for (const [i, sent] of invalidRequests.entries()) {
        assert.deepEqual(readLimits(await sendRequest({ ...sent, headers: [authHeaders.free] })), [
          60,
          59 - i,
          60,
        ])
        assert.deepEqual(readLimits(await sendRequest(outsideRequest)), [60, 60, 0])
      }
    })
  })
}

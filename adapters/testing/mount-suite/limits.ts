import assert from 'node:assert/strict'
import { type Mount, type Received, type Runner, readCode, type Sent } from '../exchange.ts'
import { auth, now, open } from './open.ts'

const minuteMs = 60_000

/** Returns Limit, Remaining and Reset, the last one in seconds from the start of the test. */
const numbers = ({ headers }: Received) => [
  Number(headers.get('x-ratelimit-limit')),
  Number(headers.get('x-ratelimit-remaining')),
  Number(headers.get('x-ratelimit-reset')) - now / 1000,
]

const anonymous: readonly Sent[] = [
  {},
  { headers: [auth.unknown] },
  { headers: [auth.expired] },
  { headers: [['Expect', 'wonders']] },
]

const invalid: readonly Sent[] = [
  { target: '/v1/pets?limit=0' },
  { target: '/v1/nothing' },
  { method: 'PUT' },
  { method: 'POST', body: '{' },
]

/** Section 8 of the interface: the limits of each caller. */
export function limitsSuite(mount: Mount, { describe, it }: Runner): void {
  describe('the limits', () => {
    it('of a plan decrease with use, and then reject until Retry-After', async (t) => {
      let time = now
      const send = await open(t, mount, { clock: () => time })
      for (let left = 59; left >= 0; left--) {
        const response = await send({ headers: [auth.free] })
        assert.deepEqual([response.status, numbers(response)], [200, [60, left, 60]])
        time += 100
      }
      time += 50
      const rejected = await send({ headers: [auth.free] })
      assert.equal(readCode(rejected), 'rate_limit_exceeded')
      assert.deepEqual([rejected.headers.get('retry-after'), ...numbers(rejected)], ['54', 60, 0, 60])
      time = now + minuteMs - 1
      assert.equal((await send({ headers: [auth.free] })).status, 429)
      time = now + minuteMs
      const served = await send({ headers: [auth.free] })
      assert.deepEqual([served.status, numbers(served)], [200, [60, 59, 120]])
    })

    it('of an address apply to every request without a valid key', async (t) => {
      const send = await open(t, mount)
      assert.equal((await send({ headers: [auth.free] })).status, 200)
      for (const [i, sent] of anonymous.entries())
        assert.deepEqual(numbers(await send(sent)), [60, 59 - i, 60])
      for (let i = anonymous.length; i < 60; i++) assert.equal((await send({})).status, 401)
      for (const sent of anonymous) assert.equal(readCode(await send(sent)), 'rate_limit_exceeded')
      assert.equal((await send({ headers: [auth.free] })).status, 200)
    })

    it('are not charged outside the base path', async (t) => {
      const send = await open(t, mount)
      const elsewhere = { target: '/elsewhere', headers: [auth.free] }
      for (const [i, sent] of invalid.entries()) {
        assert.deepEqual(numbers(await send({ ...sent, headers: [auth.free] })), [60, 59 - i, 60])
        assert.deepEqual(numbers(await send(elsewhere)), [60, 60, 0])
      }
    })
  })
}

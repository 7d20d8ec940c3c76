import assert from 'node:assert/strict'
import { codeOf, type Mount, type Received, type Sent } from '../exchange.ts'
import { auth, now, open } from './open.ts'
import type { Runner } from './runner.ts'

const minuteMs = 60_000

/** Limit, Remaining and Reset, the last one in seconds from the start of the test. */
const numbers = ({ headers }: Received) => [
  Number(headers.get('x-ratelimit-limit')),
  Number(headers.get('x-ratelimit-remaining')),
  Number(headers.get('x-ratelimit-reset')) - now / 1000,
]

/** Section 8 of the interface: the limits of each caller. */
export function limitsSuite(mount: Mount, { describe, it }: Runner): void {
  describe('the limits', () => {
    it('of a plan are shown, go down with use, and refuse what exceeds them until the wait is over', async (t) => {
      let time = now
      const send = await open(t, mount, { clock: () => time })
      for (let left = 59; left >= 0; left--) {
        const answer = await send({ headers: [auth.free] })
        assert.equal(answer.status, 200)
        assert.deepEqual(numbers(answer), [60, left, 60])
        time += 100
      }
      time += 50
      const refused = await send({ headers: [auth.free] })
      assert.deepEqual([refused.status, codeOf(refused)], [429, 'rate_limit_exceeded'])
      assert.deepEqual([refused.headers.get('retry-after'), ...numbers(refused)], ['54', 60, 0, 60])
      time = now + minuteMs - 1
      assert.equal((await send({ headers: [auth.free] })).status, 429)
      time = now + minuteMs
      const served = await send({ headers: [auth.free] })
      assert.deepEqual([served.status, numbers(served)], [200, [60, 59, 120]])
    })

    it('of a day come to bear where those of the minute would not', async (t) => {
      let time = now
      const send = await open(t, mount, { clock: () => time })
      for (let i = 0; i < 3; i++) {
        time = now + i * minuteMs
        assert.equal((await send({ headers: [auth.small] })).status, 200)
      }
      time += minuteMs
      const refused = await send({ headers: [auth.small] })
      assert.deepEqual([refused.status, ...numbers(refused)], [429, 3, 0, 86_400])
      assert.equal(refused.headers.get('retry-after'), String(86_400 - 180))
    })

    it('of an address hold for those without a valid key, whatever they send', async (t) => {
      const send = await open(t, mount)
      const strangers: readonly Sent[] = [
        {},
        { headers: [auth.unknown] },
        { headers: [auth.expired] },
        { target: '/v1/pets/1' },
        { headers: [['Expect', 'wonders']] },
      ]
      for (const [i, sent] of strangers.entries())
        assert.deepEqual(numbers(await send(sent)), [60, 59 - i, 60])
      for (let i = strangers.length; i < 60; i++) assert.equal((await send({})).status, 401)
      assert.deepEqual(codeOf(await send({ headers: [auth.unknown] })), 'rate_limit_exceeded')
      assert.equal((await send({ headers: [auth.free] })).status, 200)
    })

    it('are shown and not charged outside the base path', async (t) => {
      const send = await open(t, mount)
      for (let i = 0; i < 70; i++) {
        const answer = await send({ target: '/elsewhere', headers: [auth.free] })
        assert.deepEqual([answer.status, ...numbers(answer)], [404, 60, 60, 0])
      }
    })

    it('count faults like any other request of a key', async (t) => {
      const send = await open(t, mount)
      const faults: readonly Sent[] = [
        { target: '/v1/pets?limit=0' },
        { target: '/v1/nothing' },
        { method: 'PUT' },
        { method: 'POST', body: '{' },
      ]
      for (const [i, sent] of faults.entries()) {
        assert.deepEqual(numbers(await send({ ...sent, headers: [auth.free] })), [60, 59 - i, 60])
      }
    })

    it('ban a key that goes on, with the hundredth rejection that counts', async (t) => {
      let time = now
      const send = await open(t, mount, { clock: () => time })
      for (let i = 0; i < 2; i++) await send({ headers: [auth.small] })
      assert.equal(codeOf(await send({ headers: [auth.small] })), 'rate_limit_exceeded')
      time += 1_000
      for (let i = 1; i < 99; i++)
        assert.equal(codeOf(await send({ headers: [auth.small] })), 'rate_limit_exceeded')
      const banned = await send({ headers: [auth.small] })
      assert.deepEqual([banned.status, codeOf(banned)], [429, 'api_key_banned'])
      assert.deepEqual([banned.headers.get('retry-after'), ...numbers(banned)], ['900', 2, 0, 901])
      time += 900_000 - 1
      assert.equal(codeOf(await send({ headers: [auth.small] })), 'api_key_banned')
      assert.equal((await send({ headers: [auth.free] })).status, 200)
      time += 1
      assert.equal((await send({ headers: [auth.small] })).status, 200)
    })

    it('tell strangers apart by the proxies that are trusted', async (t) => {
      const from = (address: string): Sent => ({ headers: [['X-Forwarded-For', `6.6.6.6, ${address}`]] })
      const behind = await open(t, mount, { trustProxy: 1 })
      assert.deepEqual(numbers(await behind(from('198.51.100.1'))), [60, 59, 60])
      assert.deepEqual(numbers(await behind(from('198.51.100.2'))), [60, 59, 60])
      assert.deepEqual(numbers(await behind(from('198.51.100.1'))), [60, 58, 60])
      const direct = await open(t, mount)
      await direct(from('198.51.100.1'))
      assert.deepEqual(numbers(await direct(from('198.51.100.2'))), [60, 58, 60])
    })
  })
}

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createClientAddressReader } from './client-address.ts'

const peer = '10.0.0.9'
const networks = ['10.0.0.0/8', '2001:db8::/32']

/** The option `trustProxy`, the peer, the header `X-Forwarded-For`, and the expected client address. */
const cases = [
  [undefined, peer, '192.0.2.1', '10.0.0.9'],
  [0, '::ffff:192.0.2.1', undefined, '192.0.2.1'],
  [0, '1::ffff:1.2.3.4', undefined, '1000000000000::/64'],
  [0, '2001:db8:5::1', undefined, '20010db800050000::/64'],
  [0, '192.0.2.256', undefined, 'unknown'],
  [0, '192.0.2.01', undefined, 'unknown'],
  [1, peer, undefined, '10.0.0.9'],
  [1, peer, '192.0.2.1', '192.0.2.1'],
  [1, peer, '6.6.6.6,192.0.2.1 , ', '192.0.2.1'],
  [1, peer, '[2001:db8:5::1]:4711', '20010db800050000::/64'],
  [1, peer, '192.0.2.1, unknown', '10.0.0.9'],
  [2, peer, '6.6.6.6, 192.0.2.1, 10.1.1.1', '192.0.2.1'],
  [2, peer, '192.0.2.1', '10.0.0.9'],
  [1, peer, ','.repeat(16_000), '10.0.0.9'],
  [3, peer, ',192.0.2.1,, ,10.1.1.1,10.1.1.2,', '192.0.2.1'],
  [1, peer, '1:'.repeat(8_000), '10.0.0.9'],
  [[], peer, '192.0.2.1', '10.0.0.9'],
  [networks, peer, undefined, '10.0.0.9'],
  [networks, peer, '6.6.6.6, 192.0.2.1, 10.1.1.1, 2001:db8::5', '192.0.2.1'],
  [networks, peer, '10.3.3.3, 10.1.1.1', '10.3.3.3'],
  [networks, peer, '192.0.2.1, unknown, 10.1.1.1', '10.0.0.9'],
  [networks, '203.0.113.5', '192.0.2.1', '203.0.113.5'],
  [networks, '::ffff:10.0.0.9', '192.0.2.1', '192.0.2.1'],
  [1, undefined, '192.0.2.1', '192.0.2.1'],
  [2, undefined, '192.0.2.1', 'unknown'],
  [1, undefined, undefined, 'unknown'],
  [1, 'a-socket', '192.0.2.1', '192.0.2.1'],
  [networks, undefined, '192.0.2.1', 'unknown'],
] as const

describe('the client address', () => {
  for (const [trust, client, forwarded, found] of cases) {
    const trusted = JSON.stringify(trust)
    const addresses = String(forwarded).slice(0, 40)
    it(`is ${found} for trustProxy ${trusted}, peer ${client} and X-Forwarded-For ${addresses}`, () => {
      const header = (name: string) => (name === 'x-forwarded-for' ? forwarded : undefined)
      assert.equal(createClientAddressReader(trust)({ clientAddress: client, header }), found)
    })
  }

  it('is found behind at most 100 trusted proxies', () => {
    const findAddress = (proxies: number) => {
      const field = ['192.0.2.1', ...new Array<string>(proxies - 1).fill('10.1.1.1')].join()
      return createClientAddressReader(networks)({ clientAddress: peer, header: () => field })
    }
    assert.equal(findAddress(100), '192.0.2.1')
    assert.equal(findAddress(101), '10.1.1.1')
  })
})

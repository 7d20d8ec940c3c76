import assert from 'node:assert/strict'
import { BlockList, isIP } from 'node:net'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { assertProperty } from '../testing/assert-property.ts'
import { parseAddress, parseNetwork, toBucketAddress } from './address.ts'

const bucket = (text: string) => {
  const address = parseAddress(text)
  return address === undefined ? undefined : toBucketAddress(address)
}

const isIn = (network: string, address: string) => parseNetwork(network)?.(parseAddress(address) ?? 0n)

const ipv4 = fc.ipV4()
const group = fc.integer({ min: 0, max: 0xffff }).map((bits) => bits.toString(16))
const fullIpv6 = fc.array(group, { minLength: 8, maxLength: 8 }).map((groups) => groups.join(':'))
const ipv6 = fc.oneof(fc.ipV6(), fullIpv6)
const almostAddress = fc.string({
  unit: fc.constantFrom(...'0123456789abcfF:.', '::', '1.2.3.4', '255'),
  maxLength: 12,
})

describe('parseAddress', () => {
  it('accepts the same addresses as node:net', () => {
    assertProperty(
      fc.property(fc.oneof(ipv4, ipv6, almostAddress), (text) => {
        const address = text.replace(/^([\d.]+):\d+$/, '$1')
        assert.equal(parseAddress(text) !== undefined, isIP(address) !== 0, text)
      }),
      5_000,
    )
  })

  it('maps equivalent addresses to one bucket', () => {
    for (const [found, texts] of [
      ['192.0.2.7', '192.0.2.7 192.0.2.7:5000 ::ffff:192.0.2.7 ::FFFF:c000:207 [::ffff:192.0.2.7]:5000'],
      ['0::/64', ':: ::1'],
      ['20010db800000000::/64', '2001:db8::1 2001:db8:0:0:ffff::'],
      ['20010db800000001::/64', '2001:db8:0:1::1'],
      ['fe80000000000000::/64', 'fe80::1%eth0'],
      [undefined, '1.2.3.4: 1.2.3.4:: ::1.2.3.4:5 01.2.3.4 1:2:3:4:5:6:7:8:: unknown'],
    ] as const)
      for (const text of texts.split(' ')) assert.equal(bucket(text), found, text)
    assert.equal(bucket(''), undefined)
  })
})

describe('parseNetwork', () => {
  it('matches the same addresses as node:net does', () => {
    for (const [family, base, longest, spellings] of [
      ['ipv4', ipv4, 32, ['$&', '::ffff:$&']],
      ['ipv6', ipv6, 128, ['$&', '[$&]', '[$&]:443', '$&%eth0']],
    ] as const)
      assertProperty(
        fc.property(base, base, fc.nat(longest), (first, other, bits) => {
          const list = new BlockList()
          list.addSubnet(first, bits, family)
          for (const address of [first.replace(/[^.:]+$/, '1'), other])
            for (const spelling of spellings) {
              const spelledAddress = address.replace(/.+/, spelling)
              assert.equal(isIn(`${first}/${bits}`, spelledAddress), list.check(address, family))
              assert.equal(isIn(first, spelledAddress), isIn(`${first}/${longest}`, spelledAddress))
            }
        }),
        1_000,
      )
  })

  it('rejects invalid hosts and prefix lengths, ports and zones', () => {
    const invalidNetworks =
      '10.0.0.0/33 fd00::/129 10.0.0.0/ 10.0.0.0/-1 10.0.0.0/8/8 ten/8 10.0.0/8 10.0.0.0:80/8'
    for (const text of ['', ...invalidNetworks.split(' '), '[fd00::]:80/8', 'fe80::1%eth0/64'])
      assert.equal(parseNetwork(text), undefined, text)
  })
})

import assert from 'node:assert/strict'
import { BlockList, isIP } from 'node:net'
import { it } from 'node:test'
import fc from 'fast-check'
import { holds } from '../testing/holds.ts'
import { bucketOf, parseAddress, parseNetwork } from './address.ts'

const bucket = (text: string) => {
  const address = parseAddress(text)
  return address === undefined ? undefined : bucketOf(address)
}

const isIn = (network: string, address: string) => parseNetwork(network)?.(parseAddress(address) ?? 0n)

const v4 = fc.ipV4()
const group = fc.integer({ min: 0, max: 0xffff }).map((bits) => bits.toString(16))
const fullV6 = fc.array(group, { minLength: 8, maxLength: 8 }).map((groups) => groups.join(':'))
const almost = fc.string({
  unit: fc.constantFrom(...'0123456789abcfF:.', '::', '1.2.3.4', '255'),
  maxLength: 12,
})

it('an address is parsed if and only if the platform accepts it', () => {
  holds(
    fc.property(fc.oneof(v4, fc.ipV6(), fullV6, almost), (text) => {
      assert.equal(parseAddress(text) !== undefined, isIP(text) !== 0, text)
    }),
    5_000,
  )
})

it('an address has the bits of its text, in each of its spellings', () => {
  holds(
    fc.property(fc.array(fc.nat(0xffff), { minLength: 8, maxLength: 8 }), (groups) => {
      const bits = groups.reduce((sum, part) => (sum << 16n) | BigInt(part), 0n)
      const long = groups.map((part) => part.toString(16).padStart(4, '0')).join(':')
      const short = groups.map((part) => part.toString(16)).join(':')
      const spellings = [long, short.toUpperCase(), `[${short}]:443`, `[${short}]`, `${short}%eth0`]
      for (const text of spellings) {
        assert.equal(parseAddress(text), bits)
      }
    }),
  )
})

it('an address falls into the bucket of its IPv4 address, or of its /64', () => {
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

it('a network contains the addresses that the platform finds in it', () => {
  for (const [family, base, longest] of [
    ['ipv4', v4, 32],
    ['ipv6', fullV6, 128],
  ] as const)
    holds(
      fc.property(base, base, fc.nat(longest), (first, other, bits) => {
        const list = new BlockList()
        list.addSubnet(first, bits, family)
        for (const address of [first.replace(/[^.:]+$/, '1'), other]) {
          const spellings = family === 'ipv4' ? [address, `::ffff:${address}`] : [address]
          for (const text of spellings) {
            assert.equal(isIn(`${first}/${bits}`, text), list.check(address, family))
            assert.equal(isIn(address, text), true)
            assert.equal(isIn(first, text), first === address)
          }
        }
      }),
      1_000,
    )
})

it('a network is no other text', () => {
  const texts = '10.0.0.0/33 fd00::/129 10.0.0.0/ 10.0.0.0/-1 10.0.0.0/8/8 ten/8 10.0.0/8 10.0.0.0:80/8'
  for (const text of ['', ...texts.split(' '), '[fd00::]:80/8', 'fe80::1%eth0/64'])
    assert.equal(parseNetwork(text), undefined, text)
})

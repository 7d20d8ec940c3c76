import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRandom } from '../../../adapters/contracts/random.ts'
import { type Scheme, simulate, type Traffic } from './share-simulation.ts'

function fairness(traffic: Traffic, scheme: Scheme) {
  const { whole } = createRandom(1)
  return simulate(traffic, scheme, () => whole(0, 2 ** 31 - 1) / 2 ** 31)
}

test('one server with a share of the limit has the limit', () => {
  const traffic = { servers: 1, balance: 'random', demand: 1.5 } as const
  for (const scheme of ['own', 'share'] as const)
    assert.deepEqual(fairness(traffic, scheme), { wronglyRejected: 0, wronglyAdmitted: 0, calls: 0 })
})

test('servers that count alone admit what a client sends beyond its limit', () => {
  const { wronglyAdmitted } = fairness({ servers: 10, balance: 'random', demand: 1.5 }, 'own')
  assert.ok(wronglyAdmitted > 0.3 && wronglyAdmitted < 0.55, String(wronglyAdmitted))
})

test('a client on one connection gets a share of its limit alone, where each server has a share', () => {
  const { wronglyRejected } = fairness({ servers: 10, balance: 'one', demand: 0.9 }, 'share')
  assert.ok(wronglyRejected > 0.85 && wronglyRejected < 0.9, String(wronglyRejected))
})

test('shares that requests reach in turn reject next to nothing', () => {
  const { wronglyRejected, wronglyAdmitted } = fairness(
    { servers: 10, balance: 'turn', demand: 1.5 },
    'share',
  )
  assert.ok(wronglyRejected < 0.001 && wronglyAdmitted < 0.001)
})

test('leases reject next to nothing on one connection, with a call for ten requests', () => {
  const { wronglyRejected, calls } = fairness({ servers: 10, balance: 'one', demand: 0.9 }, 'lease')
  assert.ok(wronglyRejected < 0.001, String(wronglyRejected))
  assert.equal(calls.toFixed(2), '0.10')
})

test('leases save nothing where a hundred servers share a limit of a thousand', () => {
  assert.equal(fairness({ servers: 100, balance: 'random', demand: 0.9 }, 'lease').calls, 1)
})

test('two runs with the same random numbers are the same', () => {
  const traffic = { servers: 3, balance: 'sticky', demand: 0.9 } as const
  assert.deepEqual(fairness(traffic, 'share'), fairness(traffic, 'share'))
})

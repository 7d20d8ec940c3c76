import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { buildTranscript } from '../testing/recorded.ts'
import { findGroups } from './groups.ts'
import type { Exchange } from './transcript.ts'

const [first] = buildTranscript('read').exchanges

function countInFlight(...times: readonly (readonly [at: number, ms: number])[]): number | undefined {
  const exchanges = times.map(([at, ms], n): Exchange => {
    assert.ok(first?.response !== undefined)
    return { ...first, id: `g-${n}`, at, group: 'g', response: { ...first.response, ms } }
  })
  return findGroups({ exchanges })[0]?.inFlight
}

describe('requests in flight at the same time', () => {
  for (const [name, count, ...times] of [
    ['include all that start before the first one ends', 3, [0, 10], [1, 10], [9.9, 1]],
    ['are counted at the busiest moment', 2, [0, 2], [1, 2], [4, 2], [5, 2], [9, 1]],
    ['are 1 if each starts when the previous one ends', 1, [0, 10], [10, 5], [15, 5]],
    ['include all that take no time', 4, [0, 0], [0, 0], [0, 0], [0, 0]],
  ] as const) {
    it(name, () => assert.equal(countInFlight(...times), count))
  }

  it('include requests that fail', () => {
    assert.ok(first !== undefined)
    const { response: _, ...rest } = first
    const createLostExchange = (at: number, ms?: number): Exchange => ({
      ...rest,
      at,
      group: 'g',
      error: 'reset',
      ...(ms !== undefined && { ms }),
    })
    assert.equal(
      findGroups({ exchanges: [createLostExchange(0, 10), createLostExchange(5, 10)] })[0]?.inFlight,
      2,
    )
    assert.equal(findGroups({ exchanges: [createLostExchange(0), createLostExchange(5)] })[0]?.inFlight, 1)
  })
})

it('a transcript without parallel requests has no groups', () => {
  assert.deepEqual(findGroups(buildTranscript('read')), [])
})

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createSweep } from './sweep.ts'

describe('a sweep', () => {
  it('visits two entries at each call, and all of them round after round', () => {
    const visited: (readonly [entry: string, now: number])[] = []
    const sweep = createSweep(
      () => ['a', 'b', 'c'].values(),
      (entry, now) => visited.push([entry, now]),
    )
    for (const now of [1, 2, 3]) sweep(now)
    assert.deepEqual(visited, [
      ['a', 1],
      ['b', 1],
      ['c', 2],
      ['a', 3],
      ['b', 3],
    ])
  })

  it('of no entries visits none', () => {
    const sweep = createSweep(
      () => [].values(),
      () => assert.fail('there is nothing to visit'),
    )
    for (const now of [1, 2]) sweep(now)
  })
})

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { holds } from '../testing/holds.ts'
import { createCreationKeys } from './creation-keys.ts'

describe('the keys of creations in memory', () => {
  it('are found until they expire, in whatever order they expire, also if the clock steps back a little', () => {
    const use = fc.record({
      token: fc.constantFrom(...'abcdefgh'),
      step: fc.integer({ min: -2, max: 8 }),
      lifetime: fc.constantFrom(3, 10, 60),
    })
    holds(
      fc.property(fc.array(use, { maxLength: 60, size: 'max' }), (uses) => {
        const keys = createCreationKeys()
        const stored = new Map<string, { id: bigint; expiresAt: number }>()
        let latest = 0
        let now = 0
        for (const [i, { token, step, lifetime }] of uses.entries()) {
          now = Math.max(now + step, latest - 2)
          latest = Math.max(latest, now)
          const key = { token, fingerprint: 'f', now, expiresAt: now + lifetime }
          const earlier = stored.get(token)
          const found = keys.find(key)
          if (earlier && earlier.expiresAt > latest)
            assert.deepEqual(found, { outcome: 'replayed', id: earlier.id })
          if (!earlier || earlier.expiresAt <= now) assert.equal(found, undefined)
          if (found) continue
          keys.add(key, BigInt(i))
          stored.set(token, { id: BigInt(i), expiresAt: key.expiresAt })
        }
      }),
    )
  })
})

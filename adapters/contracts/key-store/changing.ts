import assert from 'node:assert/strict'
import type { Caller } from '../../../core/index.ts'
import { assertCaller, type KeyStoreCase } from './cases.ts'

const shelter: Caller = { id: 'shelter', plan: 'pro' }

/** How long a store may take to show a change, in milliseconds. */
const showsWithinMs = 5_000
const hourMs = 3_600_000

export const changingCases: readonly KeyStoreCase[] = [
  {
    name: 'finds a key until the millisecond before it expires, whether it was looked up before or not',
    needs: ['clock'],
    async run({ add, find, clock }) {
      const expiresAt = new Date(clock.now() + hourMs).toISOString()
      await add('used-key', { expiresAt })
      await add('unused-key', { expiresAt })
      assertCaller(await find('used-key'), shelter)
      clock.advance(hourMs - 1)
      assertCaller(await find('used-key'), shelter)
      clock.advance(1)
      for (const token of ['used-key', 'unused-key']) assert.equal(await find(token), undefined, token)
    },
  },
  {
    name: 'finds nothing for a key that had expired when it was added, and the other keys of its id',
    needs: ['clock'],
    async run({ add, find, clock }) {
      await add('past-key', { expiresAt: new Date(clock.now() - 1).toISOString() })
      await add('current-key')
      assert.equal(await find('past-key'), undefined)
      assertCaller(await find('current-key'), shelter)
    },
  },
  {
    name: 'finds a key at the latest five seconds after it was added, even if it was looked up before',
    needs: ['clock'],
    async run({ add, find, clock }) {
      assert.equal(await find('new-key'), undefined)
      await add('new-key')
      clock.advance(showsWithinMs)
      assertCaller(await find('new-key'), shelter)
    },
  },
  {
    name: 'finds nothing for a key at the latest five seconds after it was revoked, and the other keys of its id',
    needs: ['clock', 'revokeKey'],
    async run({ add, find, revoke, clock }) {
      for (const token of ['leaked-key', 'other-key', 'unused-key']) await add(token)
      for (const token of ['leaked-key', 'other-key']) assertCaller(await find(token), shelter)
      await revoke('leaked-key')
      await revoke('unused-key')
      await find('leaked-key') // a lookup does not extend the five seconds
      clock.advance(showsWithinMs)
      for (const token of ['leaked-key', 'unused-key']) assert.equal(await find(token), undefined, token)
      assertCaller(await find('other-key'), shelter)
    },
  },
  {
    name: 'finds its keys during a flood of unknown tokens, of which it finds none',
    async run({ add, find }) {
      await add('a-long-api-key')
      for (let round = 0; round < 20; round++) {
        const guesses = Array.from({ length: 100 }, (_, i) => `guess-${round}-${i}`)
        const [found, ...others] = await Promise.all(['a-long-api-key', ...guesses].map(find))
        assertCaller(found, shelter)
        assert.deepEqual(new Set(others), new Set([undefined]))
      }
    },
  },
]

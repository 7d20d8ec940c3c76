import assert from 'node:assert/strict'
import type { CreateOnceResult, CreationKey, NewPet, PetStatus } from '../../../core/index.ts'
import type { CapabilityCase, FullStore } from './capabilities.ts'
import { assertListed, fields } from './cases.ts'

const rex: NewPet = { name: 'Rex', categoryId: 1n, status: 'sold' }

/** When the first key of each case is used, in milliseconds since the epoch. */
export const firstUse: number = Date.UTC(2026, 10, 20, 12)
const dayMs = 86_400_000

/** Returns a key. The letters stand for what the hashes are of. */
export function keyOf(token: string, fingerprint = 'f', now: number = firstUse): CreationKey {
  return { token: hash(token), fingerprint: hash(fingerprint), now, expiresAt: now + dayMs }
}

/** Returns 64 hexadecimal digits, different for different texts of ASCII. */
function hash(text: string): string {
  const digits = [...text].map((character) => character.charCodeAt(0).toString(16))
  return digits.join('').padEnd(64, '0')
}

/** Returns the id of a result with one. */
export function idOf(result: CreateOnceResult | undefined): bigint {
  assert.ok(result && result.outcome !== 'reused', `no id in ${result?.outcome}`)
  return result.id
}

/** Asserts that a store has only one animal: Rex, with this id. */
export async function assertOnlyRex(store: FullStore, id: bigint): Promise<void> {
  assertListed(await store.list({ limit: 101 }), [{ ...rex, id }])
}

/** The rules of creations that their client may send again. */
export const creatingOnceCases: readonly CapabilityCase[] = [
  {
    name: 'creates an animal once for a key, and returns its id for the same key again',
    needs: ['createOnce'],
    async run(store) {
      const first = await store.createOnce(rex, keyOf('a'))
      assert.equal(first.outcome, 'created')
      for (let i = 1; i < 4; i++)
        assert.deepEqual(await store.createOnce(rex, keyOf('a', 'f', firstUse + i)), {
          outcome: 'replayed',
          id: idOf(first),
        })
      await assertOnlyRex(store, idOf(first))
    },
  },
  {
    name: 'returns and lists an animal that was created with a key like any other',
    needs: ['createOnce'],
    async run(store) {
      for (const status of [undefined, 'available', 'pending', 'sold'] as const) {
        const pet = { name: 'Zoë "🐕"', categoryId: -(2n ** 63n), ...(status && { status }) }
        const id = idOf(await store.createOnce(pet, keyOf(status ?? 'none')))
        const found = await store.get(id)
        assert.deepEqual(found && fields(found), fields({ id, ...pet }))
        assertListed(await store.list({ limit: 1, after: id - 1n }), [{ id, ...pet }])
      }
    },
  },
  {
    name: 'stores nothing for a key whose creation had another fingerprint, and leaves that creation as it is',
    needs: ['createOnce'],
    async run(store) {
      const id = idOf(await store.createOnce(rex, keyOf('a')))
      const max = { ...rex, name: 'Max' }
      assert.deepEqual(await store.createOnce(max, keyOf('a', 'g')), { outcome: 'reused' })
      assert.deepEqual(await store.createOnce(rex, keyOf('a')), { outcome: 'replayed', id })
      await assertOnlyRex(store, id)
    },
  },
  {
    name: 'creates an animal for each of two keys, also with the same fingerprint',
    needs: ['createOnce'],
    async run(store) {
      const first = await store.createOnce(rex, keyOf('a'))
      const second = await store.createOnce(rex, keyOf('b'))
      assert.deepEqual([first.outcome, second.outcome], ['created', 'created'])
      assert.notEqual(idOf(first), idOf(second))
      assert.deepEqual(await store.createOnce(rex, keyOf('a')), { outcome: 'replayed', id: idOf(first) })
      assert.deepEqual(await store.createOnce(rex, keyOf('b')), { outcome: 'replayed', id: idOf(second) })
    },
  },
  {
    name: 'stores a key until it expires, by the times of the keys, and then creates an animal anew',
    needs: ['createOnce'],
    async run(store) {
      const first = idOf(await store.createOnce(rex, keyOf('a')))
      const last = keyOf('a', 'f', firstUse + dayMs - 1)
      assert.deepEqual(await store.findCreated(last), { outcome: 'replayed', id: first })
      assert.deepEqual(await store.createOnce(rex, last), { outcome: 'replayed', id: first })
      const anew = keyOf('a', 'g', firstUse + dayMs)
      assert.equal(await store.findCreated(anew), undefined)
      const second = await store.createOnce(rex, anew)
      assert.equal(second.outcome, 'created')
      assert.notEqual(idOf(second), first)
      assert.deepEqual(await store.createOnce(rex, anew), { outcome: 'replayed', id: idOf(second) })
      assert.deepEqual(await store.findCreated(last), { outcome: 'reused' })
    },
  },
  {
    name: 'drops no key that has not expired, while others expire around it',
    needs: ['createOnce'],
    async run(store) {
      const long = { ...keyOf('long'), expiresAt: firstUse + 10 * dayMs }
      const id = idOf(await store.createOnce(rex, long))
      for (let day = 1; day < 10; day++) {
        const now = firstUse + day * dayMs
        const other = keyOf('short', 'f', now)
        assert.equal((await store.createOnce(rex, other)).outcome, 'created', `day ${day}`)
        assert.deepEqual(await store.createOnce(rex, { ...long, now }), { outcome: 'replayed', id })
      }
    },
  },
  {
    name: 'finds the creation of a key without creating anything',
    needs: ['createOnce'],
    async run(store) {
      assert.equal(await store.findCreated(keyOf('a')), undefined)
      const id = idOf(await store.createOnce(rex, keyOf('a')))
      assert.deepEqual(await store.findCreated(keyOf('a')), { outcome: 'replayed', id })
      assert.deepEqual(await store.findCreated(keyOf('a', 'g')), { outcome: 'reused' })
      assert.equal(await store.findCreated(keyOf('b')), undefined)
      await assertOnlyRex(store, id)
    },
  },
  {
    name: 'creates one animal for a key that 200 calls use at once',
    needs: ['createOnce'],
    async run(store) {
      const results = await Promise.all(
        Array.from({ length: 200 }, async () => store.createOnce(rex, keyOf('a'))),
      )
      assert.equal(results.filter(({ outcome }) => outcome === 'created').length, 1)
      assert.equal(results.filter(({ outcome }) => outcome === 'replayed').length, 199)
      const ids = new Set(results.map(idOf))
      assert.equal(ids.size, 1)
      for (const id of ids) await assertOnlyRex(store, id)
    },
  },
  {
    name: 'creates one animal for each of the keys that many calls use at once, whatever their fingerprints',
    needs: ['createOnce'],
    async run(store) {
      const tokens = ['a', 'b', 'c', 'd', 'e']
      const calls = tokens.flatMap((token) =>
        ['f', 'g'].flatMap((print) => Array<CreationKey>(5).fill(keyOf(token, print))),
      )
      const results = await Promise.all(calls.map(async (key) => store.createOnce(rex, key)))
      const count = (wanted: string) => results.filter(({ outcome }) => outcome === wanted).length
      assert.deepEqual([count('created'), count('replayed'), count('reused')], [5, 20, 25])
      assert.equal((await store.list({ limit: 101 })).length, tokens.length)
    },
  },
  {
    name: 'stores no key of a creation that fails',
    needs: ['createOnce'],
    async run(store) {
      const failing: NewPet = {
        get name(): string {
          throw new Error('this animal cannot be read')
        },
        categoryId: 1n,
      }
      await assert.rejects(async () => store.createOnce(failing, keyOf('a')))
      assert.equal(await store.findCreated(keyOf('a')), undefined)
      const unknown = { ...rex, status: 'lost' as PetStatus } // a database can have a constraint, which only then fails
      const isStored = await Promise.resolve()
        .then(() => store.createOnce(unknown, keyOf('b')))
        .then(
          () => true,
          () => false,
        )
      assert.equal((await store.findCreated(keyOf('b'))) !== undefined, isStored)
      assert.equal((await store.createOnce(rex, keyOf('a'))).outcome, 'created')
    },
  },
]

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { holds } from '../testing/holds.ts'
import { createMemoryStore } from './memory-store.ts'
import { type NewPet, type Pet, type PetStatus, petStatuses } from './pet.ts'

const status = fc.option(fc.constantFrom<PetStatus>(...petStatuses), { nil: undefined })
const pets = fc.array(
  status.map((state): NewPet => ({ name: 'Rex', categoryId: 1n, ...(state && { status: state }) })),
  { maxLength: 40, size: 'max' },
)

function filled(all: readonly NewPet[]) {
  const store = createMemoryStore()
  for (const pet of all) store.create(pet)
  return store
}

describe('the store in memory', () => {
  it('assigns ids from 1 upward and returns the stored animals', () => {
    const store = createMemoryStore()
    const rex = store.create({ name: 'Rex', categoryId: 9007199254740993n, status: 'sold' })
    const max = store.create({ name: 'Max', categoryId: -1n })
    assert.deepEqual({ ...rex }, { id: 1n, name: 'Rex', categoryId: 9007199254740993n, status: 'sold' })
    assert.deepEqual({ ...max }, { id: 2n, name: 'Max', categoryId: -1n })
    assert.deepEqual(store.get(1n), rex)
    assert.deepEqual(store.get(2n), max)
  })

  it('has no animal of any other id in int64', () => {
    const store = filled([{ name: 'Rex', categoryId: 1n }])
    for (const id of [0n, -1n, 2n, 2n ** 53n + 1n, 2n ** 63n - 1n, -(2n ** 63n)])
      assert.equal(store.get(id), undefined)
  })

  it('lists the animals with the status and after the id, ascending, up to the limit, at any time', () => {
    const query = fc.record({
      limit: fc.oneof(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 101 })),
      status,
      after: fc.option(fc.oneof(fc.bigInt(-2n, 42n), fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n)), {
        nil: undefined,
      }),
    })
    holds(
      fc.property(fc.array(fc.tuple(pets, query), { maxLength: 8 }), (story) => {
        const store = createMemoryStore()
        const created: Pet[] = []
        for (const [added, { limit, status: wanted, after }] of story) {
          for (const pet of added) created.push(store.create(pet))
          const expected = created
            .filter((pet) => (wanted === undefined || pet.status === wanted) && pet.id > (after ?? 0n))
            .slice(0, limit)
          const asked = { limit, ...(wanted && { status: wanted }), ...(after !== undefined && { after }) }
          assert.deepEqual(store.list(asked), expected)
          assert.deepEqual(store.list(asked), expected)
        }
      }),
    )
  })

  it('lists an animal immediately on the page that had room for it', () => {
    const store = createMemoryStore()
    for (let id = 1n; id <= 5n; id++) {
      assert.equal(store.list({ limit: 10 }).length, Number(id) - 1)
      assert.equal(store.list({ limit: 10, status: 'sold' }).length, Number(id) - 1)
      store.create({ name: 'Rex', categoryId: 1n, status: 'sold' })
    }
  })

  it('shows changes and removals on pages that were returned before', () => {
    const store = filled(new Array(5).fill({ name: 'Rex', categoryId: 1n }))
    const first = () => JSON.parse(store.page({ limit: 2 }).json).map(({ name }: { name: string }) => name)
    assert.deepEqual(first(), ['Rex', 'Rex'])
    store.update(2n, { name: 'Mia' })
    assert.deepEqual(first(), ['Rex', 'Mia'])
    store.remove(1n)
    assert.deepEqual(first(), ['Mia', 'Rex'])
  })

  it('lists every animal once over all pages, while others are added', () => {
    holds(
      fc.property(pets, fc.integer({ min: 1, max: 7 }), (all, limit) => {
        const store = filled(all)
        const seen: bigint[] = []
        for (let page = store.list({ limit }); page.length > 0; ) {
          seen.push(...page.map(({ id }) => id))
          if (seen.length < 60) store.create({ name: 'Late', categoryId: 1n })
          page = store.list({ limit, after: seen.at(-1) ?? 0n })
        }
        assert.deepEqual(
          seen,
          seen.map((_, i) => BigInt(i + 1)),
        )
        assert.ok(seen.length >= all.length)
      }),
      100,
    )
  })
})

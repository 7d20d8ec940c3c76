import assert from 'node:assert/strict'
import fc from 'fast-check'
import { type NewPet, type Pet, petStatuses } from '../core/index.ts'
import { keyOf } from './contracts/pet-store/cases.ts'
import { testWith } from './contracts/testing/part.ts'
import { exportAll, type OpenStores, storages, type TransferStore } from './testing/transfer.ts'

const maxId = 2n ** 53n - 1n
const animal = fc.record(
  {
    name: fc.string({ unit: 'grapheme', maxLength: 20 }).filter((name) => !name.includes('\0')),
    categoryId: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
    status: fc.constantFrom(...petStatuses),
  },
  { requiredKeys: ['name', 'categoryId'] },
)
const rex: NewPet = { name: 'Rex', categoryId: 1n, status: 'sold' }
const pet = (id: bigint, name = 'Rex'): Pet => ({ ...rex, name, id })

for (const [name, part] of Object.entries(storages)) {
  /** Declares a test that has a store for itself. */
  function test(title: string, body: (opened: OpenStores) => Promise<void>): void {
    testWith(part)(`${name} ${title}`, async (t, open) => {
      const opened = await open()
      t.after(opened.close)
      await body(opened)
    })
  }

  test('imports all, in order, and stores every animal exactly', async ({ store }) => {
    const pets: NewPet[] = Array.from({ length: 2500 }, (_, i) => ({ ...rex, name: `🐕 ${i}` }))
    pets.push({ name: 'x'.repeat(60_000), categoryId: 2n ** 63n - 1n })
    assert.equal(await store.importPets(pets), pets.length)
    assert.deepEqual(
      await exportAll(store),
      pets.map((animal, i) => ({ ...animal, id: BigInt(i + 1) })),
    )
  })

  test('imports nothing if the source of the animals fails', async ({ store }) => {
    async function* pets() {
      for (let i = 0; i < 1500; i++) yield rex
      throw new Error('line 1501 is no animal')
    }
    await assert.rejects(store.importPets(pets()), /line 1501/)
    assert.deepEqual(await store.list({ limit: 1 }), [])
  })

  test('gives an animal without an id the one after the highest so far', async ({ store }) => {
    await store.create(rex)
    await store.importPets([
      { ...rex, name: 'a' },
      pet(10n, 'b'),
      { ...rex, name: 'c' },
      pet(5n, 'd'),
      { ...rex, name: 'e' },
    ])
    assert.deepEqual(
      (await exportAll(store)).map(({ id, name }) => `${id} ${name}`),
      ['1 Rex', '2 a', '5 d', '10 b', '11 c', '12 e'],
    )
    assert.equal((await store.create(rex)).id, 13n)
  })

  test('never assigns a lower id than before, after an import of lower ones', async ({ store }) => {
    for (let i = 0; i < 5; i++) await store.create(rex)
    for (let id = 1n; id <= 5n; id++) await store.remove(id)
    await store.importPets([pet(2n)])
    assert.equal((await store.create(rex)).id, 6n)
  })

  test('imports nothing if an id exists, and names it', async ({ store }) => {
    await store.importPets([pet(5n)])
    for (const pets of [
      [pet(6n), pet(5n)],
      [pet(8n), pet(9n), pet(8n)],
    ])
      await assert.rejects(store.importPets(pets), {
        name: 'Error',
        message: `an animal with the id ${pets.at(-1)?.id} exists already`,
      })
    assert.deepEqual(await exportAll(store), [pet(5n)])
  })

  test('imports nothing if an id is out of range', async ({ store }) => {
    for (const id of [0n, -1n, maxId + 1n, 7 as unknown as bigint])
      await assert.rejects(store.importPets([pet(1n), pet(id)]), {
        name: 'TypeError',
        message: /from 1 to 9007199254740991/,
      })
    assert.deepEqual(await exportAll(store), [])
    await store.importPets([pet(maxId)])
    assert.deepEqual(await exportAll(store), [pet(maxId)])
  })

  test('shows imported animals at once in full pages that were listed before, here and elsewhere', async ({
    store,
    other,
  }) => {
    await store.importPets([pet(10n), pet(20n), pet(30n)])
    const ids = async (one: TransferStore) => (await one.list({ limit: 2 })).map(({ id }) => id)
    for (const one of [store, other]) assert.deepEqual(await ids(one), [10n, 20n])
    await store.importPets([pet(15n)])
    for (const one of [store, other]) assert.deepEqual(await ids(one), [10n, 15n])
  })

  test('exports more animals than a page, as they were when it began', async ({ store, other }) => {
    const pets = Array.from({ length: 2500 }, (_, i) => pet(BigInt(i + 1), `Rex ${i}`))
    await store.importPets(pets)
    const exported: Pet[] = []
    for await (const one of store.exportPets()) {
      if (exported.length === 0) {
        await other.create(rex)
        await other.remove(2000n)
      }
      exported.push(one)
    }
    assert.deepEqual(exported, pets)
    assert.equal((await exportAll(store)).length, 2500)
  })

  test('goes on after an export that its reader leaves early', async ({ store }) => {
    await store.importPets([pet(1n), pet(2n)])
    for await (const { id } of store.exportPets()) {
      assert.equal(id, 1n)
      break
    }
    assert.equal((await store.create(rex)).id, 3n)
    assert.equal((await exportAll(store)).length, 3)
  })

  test('creates one animal for a key that 200 calls use at once, on two connections', async (opened) => {
    const { store, other } = opened
    const calls = Array.from({ length: 200 }, (_, i) => (i % 2 ? store : other).createOnce(rex, keyOf('a')))
    const outcomes = (await Promise.all(calls)).map(({ outcome }) => outcome)
    assert.equal(outcomes.filter((outcome) => outcome === 'created').length, 1)
    assert.equal(outcomes.filter((outcome) => outcome === 'replayed').length, 199)
    assert.equal((await store.list({ limit: 10 })).length, 1)
  })

  test('removes expired keys a few at a time, so that those of one lifetime are stored', async (opened) => {
    const { store, countKeys } = opened
    for (let i = 0; i < 25; i++) await store.createOnce(rex, keyOf(`${i}`, 'f', 1, 1000))
    const counts = [await countKeys()]
    for (let i = 100; i < 105; i++) {
      await store.createOnce(rex, keyOf(`${i}`, 'f', 1001, 1000))
      counts.push(await countKeys())
    }
    assert.deepEqual(counts, [25, 16, 7, 3, 4, 5])
  })

  test('imports what it exports from another store, exactly', async ({ store }) => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.bigInt({ min: 1n, max: maxId }), { maxLength: 20 }),
        fc.infiniteStream(animal),
        async (ids, animals) => {
          for (const { id } of await exportAll(store)) await store.remove(id)
          const pets = ids.map((id): Pet => ({ id, ...animals.next().value }))
          assert.equal(await store.importPets(pets), pets.length)
          assert.deepEqual(
            await exportAll(store),
            pets.toSorted((a, b) => Number(a.id - b.id)),
          )
        },
      ),
      { numRuns: 25 },
    )
  })
}

testWith(storages.PostgreSQL)(
  'an import with ids into PostgreSQL lets creations elsewhere wait, and takes no id from them',
  async (t, open) => {
    const { store, other, close } = await open()
    t.after(close)
    const created: Promise<Pet>[] = []
    async function* pets() {
      for (let id = 1n; id <= 3000n; id++) {
        if (id === 1500n) for (let i = 0; i < 2; i++) created.push(Promise.resolve(other.create(rex)))
        yield pet(id)
      }
    }
    assert.equal(await store.importPets(pets()), 3000)
    const ids = (await Promise.all(created)).map(({ id }) => id)
    assert.deepEqual(ids.sort(), [3001n, 3002n])
  },
)

testWith(storages.SQLite)(
  'a change waits for an export on the same connection, and reads return what was there when it began',
  async (t, open) => {
    const { store, other, close } = await open()
    t.after(close)
    await store.importPets([pet(1n), pet(2n)])
    let created: Promise<Pet> | undefined
    for await (const { id } of store.exportPets()) {
      if (id === 1n) {
        created = Promise.resolve(store.create(rex))
        await other.remove(2n)
      }
      assert.equal((await store.list({ limit: 10 })).length, 2, `while animal ${id} is read`)
    }
    assert.equal((await created)?.id, 3n)
    assert.equal((await store.list({ limit: 10 })).length, 2)
  },
)

import assert from 'node:assert/strict'
import { describe } from 'node:test'
import fc from 'fast-check'
import { type NewPet, type Pet, type PetStore, petStatuses } from '../core/index.ts'
import { createTestKey } from './contracts/pet-store/model.ts'
import { createPool, postgresUrl } from './contracts/testing/postgres.ts'
import { createTableName, openStore, rex, test as testOnPostgres } from './postgres/testing/tables.ts'
import { createSqliteStore, type SqliteStore } from './sqlite/index.ts'
import { createFileName, open, test as testOnSqlite } from './sqlite/testing/open.ts'

/** A store that can import and export animals. */
type TransferStore = Required<PetStore> & Pick<SqliteStore, 'importPets' | 'exportPets'>

/** Two stores with the same animals, on separate connections. */
interface StorePair {
  readonly store: TransferStore
  readonly other: TransferStore
  /** Counts the stored idempotency keys. */
  countKeys(): Promise<number>
  /** Makes all idempotency keys expire. */
  expireKeys(): Promise<void>
}

async function openInSqlite(): Promise<StorePair> {
  const file = createFileName()
  const [database, another] = [open(file), open(file)]
  return {
    store: createSqliteStore({ database }),
    other: createSqliteStore({ database: another }),
    countKeys: async () => database.prepare('SELECT token FROM creation_keys').all().length,
    expireKeys: async () => void database.exec('UPDATE creation_keys SET expires_at = 0'),
  }
}

async function openInPostgres(): Promise<StorePair> {
  const table = createTableName()
  const connect = () => createPool(postgresUrl, { max: 1 }) // with one connection, statements run one after the other
  const client = connect()
  return {
    store: await openStore(client, table),
    other: await openStore(connect(), table),
    countKeys: async () => (await client.query(`SELECT token FROM ${table}_creations`)).rows.length,
    expireKeys: async () => void (await client.query(`UPDATE ${table}_creations SET expires_at = 0`)),
  }
}

const storages = {
  SQLite: { declare: testOnSqlite, open: openInSqlite },
  PostgreSQL: { declare: testOnPostgres, open: openInPostgres },
}

async function exportAll(store: TransferStore): Promise<Pet[]> {
  const pets: Pet[] = []
  for await (const pet of store.exportPets()) pets.push(pet)
  return pets
}

const maxId = 2n ** 53n - 1n
const arbitraryAnimal = fc.record(
  {
    name: fc.string({ unit: 'grapheme', maxLength: 20 }).filter((name) => !name.includes('\0')),
    categoryId: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
    status: fc.constantFrom(...petStatuses),
  },
  { requiredKeys: ['name', 'categoryId'] },
)
const createPet = (id: bigint, name = 'Rex'): Pet => ({ ...rex, name, id })

describe('import and export', () => {
  for (const [name, { declare, open }] of Object.entries(storages)) {
    /** Declares a test with new stores. */
    function test(title: string, body: (opened: StorePair) => Promise<void>): void {
      declare(`${name} ${title}`, async () => body(await open()))
    }

    test('stores nothing if an import fails', async ({ store }) => {
      await store.importPets([createPet(5n)])
      async function* generateBroken() {
        for (let i = 0; i < 1500; i++) yield rex
        throw new Error('line 1501 is not an animal')
      }
      const exists = (id: number) => ({
        name: 'Error',
        message: `an animal with the id ${id} already exists`,
      })
      const range = { name: 'TypeError', message: /from 1 to 9007199254740991/ }
      for (const [pets, error] of [
        [generateBroken(), /line 1501/],
        [[createPet(6n), createPet(5n)], exists(5)],
        [[createPet(8n), createPet(9n), createPet(8n)], exists(8)],
        ...[0n, -1n, maxId + 1n, 7 as unknown as bigint].map(
          (id) => [[createPet(1n), createPet(id)], range] as const,
        ),
      ] as const)
        await assert.rejects(store.importPets(pets), error)
      assert.deepEqual(await exportAll(store), [createPet(5n)])
    })

    test('assigns no id greater than 2^53 - 1', async ({ store }) => {
      await store.importPets([createPet(maxId - 1n)])
      assert.equal((await store.create(rex)).id, maxId)
      await assert.rejects(async () => store.create(rex), /maximum value of sequence|CHECK/)
      assert.deepEqual(await exportAll(store), [createPet(maxId - 1n), createPet(maxId)])
    })

    test('assigns ids after the greatest id so far', async ({ store }) => {
      await store.create(rex)
      const [a, c, e] = ['a', 'c', 'e'].map((name) => ({ ...rex, name })) as [NewPet, NewPet, NewPet]
      await store.importPets([a, createPet(10n, 'b'), c, createPet(5n, 'd'), e])
      assert.deepEqual(
        (await exportAll(store)).map(({ id, name }) => `${id} ${name}`),
        ['1 Rex', '2 a', '5 d', '10 b', '11 c', '12 e'],
      )
      assert.equal((await store.create(rex)).id, 13n)
      for (const { id } of await exportAll(store)) await store.remove(id)
      await store.importPets([createPet(2n)])
      assert.equal((await store.create(rex)).id, 14n)
    })

    test('shows imported animals in every open store', async ({ store, other }) => {
      await store.importPets([createPet(10n), createPet(20n), createPet(30n)])
      const readNext = async (one: TransferStore) => (await one.page({ limit: 2 })).next
      for (const one of [store, other]) assert.equal(await readNext(one), 20n)
      await store.importPets([createPet(15n)])
      for (const one of [store, other]) assert.equal(await readNext(one), 15n)
    })

    test('exports a snapshot while animals are created and removed', async ({ store, other }) => {
      const pets: Pet[] = Array.from({ length: 2500 }, (_, i) => createPet(BigInt(i + 1), `🐕 ${i}`))
      pets.push(createPet(2501n, 'x'.repeat(60_000)))
      assert.equal(await store.importPets(pets.map(({ id: _, ...animal }) => animal)), 2501)
      const exported: Pet[] = []
      for await (const one of store.exportPets()) {
        if (exported.length === 0) {
          await other.create(rex)
          await other.remove(2000n)
        }
        exported.push(one)
      }
      assert.deepEqual(exported, pets)
      assert.equal((await exportAll(store)).length, 2501)
    })

    test('continues after an export that stops early', async ({ store }) => {
      await store.importPets([createPet(1n), createPet(2n)])
      for await (const { id } of store.exportPets()) {
        assert.equal(id, 1n)
        break
      }
      assert.equal((await store.create(rex)).id, 3n)
      assert.equal((await exportAll(store)).length, 3)
    })

    test('removes up to ten expired idempotency keys per creation', async (opened) => {
      const { store, countKeys, expireKeys } = opened
      // A clock may return fractional milliseconds.
      for (let i = 0; i < 25; i++) await store.createOnce(rex, createTestKey(`${i}`, 'f', 1.25, 99_999.5))
      await expireKeys()
      const counts = [await countKeys()]
      for (let i = 100; i < 105; i++) {
        await store.createOnce(rex, createTestKey(`${i}`, 'f', 1001, 100_000))
        counts.push(await countKeys())
      }
      assert.deepEqual(counts, [25, 16, 7, 3, 4, 5])
    })

    test('imports and exports any animals unchanged', async ({ store }) => {
      await fc.assert(
        fc.asyncProperty(
          fc.uniqueArray(fc.bigInt({ min: 1n, max: maxId }), { maxLength: 20 }),
          fc.infiniteStream(arbitraryAnimal),
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
})

testOnPostgres('PostgreSQL delays a creation during an import with ids', async () => {
  const { store, other } = await openInPostgres()
  let created: Promise<Pet> | undefined
  async function* pets() {
    for (let id = 1n; id <= 3000n; id++) {
      if (id === 1500n) created = Promise.resolve(other.create(rex))
      yield createPet(id)
    }
  }
  assert.equal(await store.importPets(pets()), 3000)
  assert.equal((await created)?.id, 3001n)
})

testOnSqlite('SQLite delays changes during an export, and reads see a snapshot', async () => {
  const { store, other } = await openInSqlite()
  await store.importPets([createPet(1n), createPet(2n)])
  let created: Promise<Pet> | undefined
  for await (const { id } of store.exportPets()) {
    if (id === 1n) {
      created = Promise.resolve(store.create(rex))
      await other.remove(2n)
    }
    assert.equal((await store.list({ limit: 10 })).length, 2, `while animal ${id} is exported`)
  }
  assert.equal((await created)?.id, 3n)
  assert.equal((await store.list({ limit: 10 })).length, 2)
})

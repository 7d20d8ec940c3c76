import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createMemoryStore, type PetStore } from '../../core/index.ts'
import { createPetClient, PetApiError, type PetClient } from '../client.ts'
import { mapPart, type Part, testWith } from '../contracts/testing/part.ts'
import { connectPostgres, temporaryTables } from '../contracts/testing/postgres.ts'
import { openSqlite, sqlite, temporaryFiles } from '../contracts/testing/sqlite.ts'
import { createPostgresStore, migrate } from '../postgres.ts'
import { createSqliteStore } from '../sqlite.ts'
import type { Mount } from '../testing/exchange.ts'
import { testService } from '../testing/mount-suite/open.ts'
import { mounts } from '../testing/mounts.ts'

const newFile = temporaryFiles()
const newTable = temporaryTables()
const stores: Readonly<Record<string, Part<() => PetStore | Promise<PetStore>>>> = {
  memory: { value: () => createMemoryStore() },
  SQLite: mapPart(sqlite, () => () => createSqliteStore({ database: openSqlite(newFile()) })),
  PostgreSQL: mapPart(await connectPostgres(), (client) => async () => {
    const table = newTable()
    await migrate(client, { table })
    return createPostgresStore({ client, table })
  }),
}

/** A client of a service behind a mount. */
async function clientOf(
  t: { after(work: () => Promise<void>): void },
  mount: Mount,
  store: PetStore,
): Promise<PetClient> {
  const { send, close } = await mount(testService({ store }))
  t.after(close)
  const fetch = async (request: Request) => {
    const { pathname, search } = new URL(request.url)
    const { method } = request
    const { status, headers, text } = await send({
      method,
      target: pathname + search,
      headers: [...request.headers],
      ...(method === 'POST' && { body: await request.text() }),
    })
    return new Response(text, { status, headers: [...headers] })
  }
  const options = { baseUrl: 'http://pets.example/v1', apiKey: 'zoo-key', maxRetries: 0 }
  return createPetClient({ ...options, fetch, onDeprecation() {} })
}

/** Uses everything of the client. */
async function use(pets: PetClient): Promise<void> {
  const categoryId = 2n ** 63n - 1n
  for (let i = 0; i < 25; i++)
    await pets.create({ name: `Rex "${i}" \\`, categoryId, status: i % 2 === 0 ? 'sold' : 'pending' })
  const idempotencyKey = 'the-same'
  const [first, again] = [
    await pets.create({ name: 'Émile', categoryId: 1 }, { idempotencyKey }),
    await pets.create({ name: 'Émile', categoryId: 1 }, { idempotencyKey }),
  ]
  assert.deepEqual(again, first)
  assert.deepEqual(await pets.get(first.id), first)
  const listed = []
  for await (const pet of pets.list({ limit: 4, status: 'sold' })) listed.push(pet)
  assert.deepEqual(
    listed.map(({ name }) => name),
    Array.from({ length: 13 }, (_, i) => `Rex "${2 * i}" \\`),
  )
  assert.ok(listed.every((pet) => pet.categoryId === categoryId && pet.status === 'sold'))
  const { pets: page, next } = await pets.list({ limit: 20 }).page()
  const { pets: rest } = await pets.list(next).page()
  assert.deepEqual([page.length, rest.length], [20, 6])
  const rejects = (work: Promise<unknown>, code: string) =>
    assert.rejects(work, (thrown) => thrown instanceof PetApiError && thrown.code === code)
  await rejects(pets.get(0), 'pet_not_found')
  await rejects(pets.list({ limit: 0 }).page(), 'invalid_parameter')
  await rejects(pets.create({ name: '\u0000', categoryId: 1 }), 'invalid_pet')
  await rejects(pets.create({ name: 'other', categoryId: 1 }, { idempotencyKey }), 'idempotency_key_reused')
}

describe('the client, on every mount', () => {
  for (const [name, mount] of Object.entries(mounts)) {
    it(name, async (t) => use(await clientOf(t as never, mount, createMemoryStore())))
  }
})

const [mount] = Object.values(mounts)
for (const [name, store] of Object.entries(stores)) {
  testWith(store)(`the client, on ${name}`, async (t, open) => {
    await use(await clientOf(t as never, mount ?? assert.fail(), await open()))
  })
}

import assert from 'node:assert/strict'
import { type NewPet, type Pet, StoreUnavailable } from '../../core/index.ts'
import { testWith } from '../contracts/testing/part.ts'
import { poolFor } from '../contracts/testing/postgres.ts'
import { createPrivatePostgres } from '../contracts/testing/private-postgres.ts'
import { createPostgresStore, migrate } from '../postgres.ts'

const privateServer = await createPrivatePostgres()
const rex: NewPet = { name: 'Rex', categoryId: 1n, status: 'sold' }

testWith(privateServer)(
  'a PostgreSQL that crashes under load has stored every creation that fulfilled, and is used again',
  async (_t, { url, crash, start }) => {
    const client = poolFor(url, { connectionTimeoutMillis: 500 })
    await migrate(client)
    const store = createPostgresStore({ client })
    const created: Pet[] = []
    let failures = 0
    let ended = false

    async function createUntilEnded(): Promise<void> {
      while (!ended)
        await store.create(rex).then(
          (pet) => created.push(pet),
          (error) => {
            assert.ok(error instanceof StoreUnavailable, String(error))
            failures++
          },
        )
    }

    async function untilCreated(count: number): Promise<void> {
      const goal = created.length + count
      while (created.length < goal) await new Promise(setImmediate)
    }

    const clients = Array.from({ length: 8 }, createUntilEnded)
    await untilCreated(100)
    await crash()
    await start()
    await untilCreated(100)
    ended = true
    await Promise.all(clients)

    assert.ok(failures > 0)
    assert.equal(new Set(created.map(({ id }) => id)).size, created.length)
    for (const pet of created) assert.deepEqual(await store.get(pet.id), pet)
  },
)

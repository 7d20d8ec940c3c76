import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type NewPet, type Pet, StoreUnavailable } from '../../core/index.ts'
import { testWith } from '../contracts/testing/part.ts'
import { connectPostgres, poolFor, postgresUrl, temporaryTables } from '../contracts/testing/postgres.ts'
import { createPrivatePostgres } from '../contracts/testing/private-postgres.ts'
import { createPostgresStore, migrate } from '../postgres.ts'

const shared = await connectPostgres()
const privateServer = await createPrivatePostgres()
const newTable = temporaryTables()
const rex: NewPet = { name: 'Rex', categoryId: 1n, status: 'sold' }
const replica = fileURLToPath(new URL('testing/replica.ts', import.meta.url))

testWith(shared)('ten processes set up one table at once, and store every animal', async () => {
  const table = newTable()
  const args = ['--import', 'tsx/esm', replica, postgresUrl, table, '50']
  const outputs = await Promise.all(
    Array.from({ length: 10 }, () => promisify(execFile)(process.execPath, args)),
  )
  // The output of testing/replica.ts.
  const created = outputs.flatMap(({ stdout }) => JSON.parse(stdout) as [string, string][])
  assert.equal(created.length, 500)

  const store = createPostgresStore({ client: poolFor(postgresUrl), table })
  const stored: Pet[] = []
  for (let after = 0n; ; after = stored.at(-1)?.id ?? after) {
    const page = await store.list({ limit: 101, after })
    if (page.length === 0) break
    stored.push(...page)
  }
  assert.deepEqual(
    stored.map(({ id, name }) => [String(id), name]),
    created.sort(([a], [b]) => Number(a) - Number(b)),
  )
})

testWith(privateServer)(
  'a PostgreSQL that crashes under load has stored every creation that fulfilled, and is used again',
  async () => {
    if (!('value' in privateServer)) return
    const { url, crash, start } = privateServer.value
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

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Pet } from '../core/index.ts'
import { createRandom } from './contracts/random.ts'
import { mapPart, type Part, testWith } from './contracts/testing/part.ts'
import { connectPostgres, postgresUrl, temporaryTables } from './contracts/testing/postgres.ts'
import { openSqlite, sqlite, temporaryFiles } from './contracts/testing/sqlite.ts'
import { createPostgresStore, migrate } from './postgres.ts'
import { createSqliteStore } from './sqlite.ts'
import { keyOfRound } from './testing/key-of-round.ts'
import type { TransferStore } from './testing/transfer.ts'

/** How often the process is killed in each kind of storage. */
const rounds = Number(process.env.PET_ADOPTION_CRASH_ROUNDS || 2)
const random = createRandom(Number(process.env.PET_ADOPTION_CRASH_SEED || 1))
const changing = fileURLToPath(new URL('testing/changing-process.ts', import.meta.url))
const newFile = temporaryFiles()
const newTable = temporaryTables()
const postgres = await connectPostgres()

/** The arguments of a process that changes a storage, and a store of the same animals. */
interface Storage {
  readonly args: readonly string[]
  readonly store: TransferStore
}

const storages: Readonly<Record<string, Part<() => Promise<Storage>>>> = {
  SQLite: mapPart(sqlite, () => async () => {
    const file = newFile()
    return { args: [file, ''], store: createSqliteStore({ database: openSqlite(file) }) }
  }),
  PostgreSQL: mapPart(postgres, (pool) => async () => {
    const table = newTable()
    await migrate(pool, { table })
    return { args: [postgresUrl, table], store: createPostgresStore({ client: pool, table }) }
  }),
}

/** Lets a process change a storage for a while, kills it, and returns the lines that it has written. */
async function changeUntilKilled(args: readonly string[]): Promise<readonly string[]> {
  const child = spawn(process.execPath, ['--import', 'tsx/esm', changing, ...args])
  let output = ''
  child.stdout.on('data', (data) => {
    output += data
  })
  await once(child.stdout, 'data')
  await setTimeout(random.whole(50, 400))
  child.kill('SIGKILL')
  const [, signal] = await once(child, 'close')
  assert.equal(signal, 'SIGKILL')
  return output.split('\n').slice(0, -1)
}

for (const [name, part] of Object.entries(storages)) {
  testWith(part)(
    `${name} has every change that a killed process saw fulfilled, and no animal twice`,
    async (_t, open) => {
      const { args, store } = await open()
      for (let round = 0; round < rounds; round++) {
        const before = await all(store)
        const lines = await changeUntilKilled([name, ...args, String(round)])
        const pets = await all(store)
        const added = [...pets.values()].filter(({ id }) => !before.has(id))
        assert.equal(
          new Set(added.map(({ categoryId }) => categoryId)).size,
          added.length,
          'an animal is there twice',
        )
        for (const line of lines) {
          const [what, number, id] = line.split(' ')
          const pet = pets.get(BigInt(id ?? ''))
          if (what === 'removed') assert.equal(pet, undefined, line)
          if (what === 'changed' && Number(number) % 3 > 0) assert.equal(pet?.name, 'changed', line)
          if (what === 'created') {
            const again = await store.createOnce(
              { name: 'new', categoryId: 0n },
              keyOfRound(String(round), Number(number)),
            )
            assert.deepEqual(again, { outcome: 'replayed', id: BigInt(id ?? '') }, line)
          }
        }
        assert.ok(lines.length > 0)
        for (const { id, categoryId } of added) {
          const found = await store.findCreated(keyOfRound(String(round), Number(categoryId)))
          assert.deepEqual(found, { outcome: 'replayed', id }, 'an animal is stored without its key')
        }
      }
    },
  )
}

/** Returns all animals by id. */
async function all(store: TransferStore): Promise<ReadonlyMap<bigint, Pet>> {
  const pets: Pet[] = []
  for (let after = 0n; ; after = pets.at(-1)?.id ?? after) {
    const page = await store.list({ limit: 101, after })
    pets.push(...page)
    if (page.length < 101) return new Map(pets.map((pet) => [pet.id, pet]))
  }
}

import pg from 'pg'
import type { Pet, PetStore } from '../../core/index.ts'
import { mapPart, type Part } from '../contracts/testing/part.ts'
import { connectPostgres, postgresUrl, temporaryTables } from '../contracts/testing/postgres.ts'
import { openSqlite, sqlite, temporaryFiles } from '../contracts/testing/sqlite.ts'
import { createPostgresStore, migrate } from '../postgres.ts'
import { createSqliteStore, type SqliteStore } from '../sqlite.ts'

/** A store from which animals are exported, and into which they are imported. */
export type TransferStore = Required<PetStore> & Pick<SqliteStore, 'importPets' | 'exportPets'>

/** Two stores of the same animals, each on a connection of its own. */
export interface OpenStores {
  readonly store: TransferStore
  readonly other: TransferStore
  /** Returns how many keys of creations are stored. */
  countKeys(): Promise<number>
  close(): Promise<void>
}

const newFile = temporaryFiles()
const newTable = temporaryTables()

async function openInSqlite(): Promise<OpenStores> {
  const file = newFile()
  const [first, second] = [openSqlite(file), openSqlite(file)]
  return {
    store: createSqliteStore({ database: first }),
    other: createSqliteStore({ database: second }),
    countKeys: async () => first.prepare('SELECT token FROM creation_keys').all().length,
    async close() {
      first.close()
      second.close()
    },
  }
}

async function openInPostgres(): Promise<OpenStores> {
  // Each is one connection, whose statements wait for each other.
  const clients = [1, 2].map(() => new pg.Pool({ connectionString: postgresUrl, max: 1 }))
  const table = newTable()
  for (const client of clients) await migrate(client, { table })
  const [store, other] = clients.map((client) => createPostgresStore({ client, table }))
  if (!store || !other) throw new Error('two clients make two stores')
  return {
    store,
    other,
    countKeys: async () =>
      (await clients[0]?.query(`SELECT token FROM ${table}_creations`))?.rows.length ?? 0,
    async close() {
      for (const client of clients) await client.end()
    },
  }
}

const postgres = await connectPostgres()

/** Opens new stores of each kind, where the machine has it. */
export const storages: Readonly<Record<'SQLite' | 'PostgreSQL', Part<() => Promise<OpenStores>>>> = {
  SQLite: mapPart(sqlite, () => openInSqlite),
  PostgreSQL: mapPart(postgres, () => openInPostgres),
}

/** Returns all animals that a store exports. */
export async function exportAll(store: TransferStore): Promise<Pet[]> {
  const pets: Pet[] = []
  for await (const pet of store.exportPets()) pets.push(pet)
  return pets
}

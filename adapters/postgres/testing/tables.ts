import { after } from 'node:test'
import pg from 'pg'
import type { NewPet } from '../../../core/index.ts'
import { partValue, testWith } from '../../contracts/testing/part.ts'
import { connectPostgres, postgresUrl, temporaryTables } from '../../contracts/testing/postgres.ts'
import { createPostgresStore, migrate, type PostgresClient, type PostgresStore } from '../../postgres.ts'

const postgres = await connectPostgres()

/** A `test` that is skipped without a PostgreSQL on this machine. */
export const test: ReturnType<typeof testWith> = testWith(postgres)
/** Names tables for this test file alone. */
export const newTable: () => string = temporaryTables()
export const rex: NewPet = { name: 'Rex', categoryId: 1n, status: 'sold' }

/** The pool of this test file. */
export function pool(): pg.Pool {
  return partValue(postgres)
}

/** Opens a single connection, which is closed when the test file is done. */
export async function connect(): Promise<pg.Client> {
  const client = new pg.Client(postgresUrl)
  await client.connect()
  after(() => client.end())
  return client
}

/** A store that knows its table. */
export interface TableStore extends PostgresStore {
  readonly table: string
}

/** Creates the tables where there are none, and opens a store on them. */
export async function openStore(
  client: PostgresClient = pool(),
  table: string = newTable(),
): Promise<TableStore> {
  await migrate(client, { table })
  return { ...createPostgresStore({ client, table }), table }
}

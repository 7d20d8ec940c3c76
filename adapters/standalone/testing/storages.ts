import { after } from 'node:test'
import pg from 'pg'
import { postgresUrl } from '../../contracts/testing/postgres.ts'
import { connectResource, mapResource, type Resource } from '../../contracts/testing/resource.ts'
import { runId } from '../../contracts/testing/run-id.ts'
import { createFileNamer, sqlite } from '../../contracts/testing/sqlite.ts'

let schemaCount = 0

async function runStatement(statement: string): Promise<void> {
  const client = new pg.Client(postgresUrl)
  await client.connect()
  await client.query(statement).finally(() => client.end())
}

/** Creates a PostgreSQL schema for a test, and a URL that selects the schema. */
export async function createDatabase(): Promise<{ readonly url: string; drop(): Promise<void> }> {
  const schema = `pets_test_${runId}_${schemaCount++}`
  await runStatement(`CREATE SCHEMA ${schema}`)
  const url = new URL(postgresUrl)
  url.searchParams.set('options', `-csearch_path=${schema} -csynchronous_commit=off`) // commits need not wait for the disk
  return { url: url.href, drop: () => runStatement(`DROP SCHEMA ${schema} CASCADE`) }
}

/** Returns a function that creates empty PostgreSQL databases. They are dropped after the test file. */
export function createTemporaryDatabases(): Promise<Resource<() => Promise<string>>> {
  const drops: (() => Promise<void>)[] = []
  after(() => Promise.all(drops.map((drop) => drop())))
  return connectResource(async () => {
    await runStatement('SELECT 1')
    return async () => {
      const { url, drop } = await createDatabase()
      drops.push(drop)
      return url
    }
  })
}

/** Functions that create an empty storage and return the flag that chooses it. */
export type Storages = Readonly<Record<'SQLite' | 'PostgreSQL', Resource<() => Promise<string>>>>

export async function createTemporaryStorages(): Promise<Storages> {
  const newFile = createFileNamer()
  return {
    SQLite: mapResource(sqlite, () => async () => `--data ${newFile()}`),
    PostgreSQL: mapResource(await createTemporaryDatabases(), (newDatabase) => async () => {
      return `--postgres ${await newDatabase()}`
    }),
  }
}

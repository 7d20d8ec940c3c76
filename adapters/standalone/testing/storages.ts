import { after } from 'node:test'
import pg from 'pg'
import { mapPart, type Part, service } from '../../contracts/testing/part.ts'
import { postgresUrl } from '../../contracts/testing/postgres.ts'
import { runId } from '../../contracts/testing/run-id.ts'
import { sqlite, temporaryFiles } from '../../contracts/testing/sqlite.ts'

let count = 0

async function run(statement: string): Promise<void> {
  const client = new pg.Client(postgresUrl)
  await client.connect()
  await client.query(statement).finally(() => client.end())
}

/** Creates a schema in the local PostgreSQL. Returns an address with it, and a function that drops it. */
export async function createDatabase(): Promise<{ readonly url: string; drop(): Promise<void> }> {
  const schema = `pets_test_${runId}_${count++}`
  await run(`CREATE SCHEMA ${schema}`)
  const url = new URL(postgresUrl)
  url.searchParams.set('options', `-csearch_path=${schema}`)
  return { url: url.href, drop: () => run(`DROP SCHEMA ${schema} CASCADE`) }
}

/** Returns addresses of the local PostgreSQL, each with its own schema, which is dropped after the test file. */
export function temporaryDatabases(): Promise<Part<() => Promise<string>>> {
  const drops: (() => Promise<void>)[] = []
  after(() => Promise.all(drops.map((drop) => drop())))
  return service(async () => {
    await run('SELECT 1')
    return async () => {
      const { url, drop } = await createDatabase()
      drops.push(drop)
      return url
    }
  })
}

/** The storages that outlive a process. Each has a function that returns the flag of an empty one. */
export type Storages = Readonly<Record<'SQLite' | 'PostgreSQL', Part<() => Promise<string>>>>

/** Returns the storages of a test file, which are removed after it. */
export async function temporaryStorages(): Promise<Storages> {
  const newFile = temporaryFiles()
  return {
    SQLite: mapPart(sqlite, () => async () => `--data ${newFile()}`),
    PostgreSQL: mapPart(await temporaryDatabases(), (newDatabase) => async () => {
      return `--postgres ${await newDatabase()}`
    }),
  }
}

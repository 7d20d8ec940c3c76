import { mapPart, type Part } from '../../contracts/testing/part.ts'
import { sqlite, temporaryFiles } from '../../contracts/testing/sqlite.ts'
import { temporaryDatabases } from './database.ts'

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

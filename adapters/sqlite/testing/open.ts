import { after } from 'node:test'
import type { NewPet } from '../../../core/index.ts'
import { testWith } from '../../contracts/testing/part.ts'
import { type OpenDatabase, openSqlite, sqlite, temporaryFiles } from '../../contracts/testing/sqlite.ts'
import type { SqliteStore } from '../index.ts'

/** A `test` that is skipped if the runtime has no SQLite. */
export const test: ReturnType<typeof testWith> = testWith(sqlite)
export const newFile: (name?: string) => string = temporaryFiles()
export const rex: NewPet = { name: 'Rex', categoryId: 1n, status: 'sold' }

/** Opens a database, which is closed when the test file is done. */
export function open(file: string = newFile(), options: { readOnly?: boolean } = {}): OpenDatabase {
  const database = openSqlite(file, options)
  after(() => database.close())
  return database
}

/** Starts an import of one animal. It is under way until `finish` is called. */
export function startImport(store: SqliteStore): { readonly imported: Promise<number>; finish(): void } {
  let finish = () => {}
  const finished = new Promise<void>((resolve) => {
    finish = resolve
  })
  async function* pets() {
    yield rex
    await finished
  }
  return { imported: store.importPets(pets()), finish }
}

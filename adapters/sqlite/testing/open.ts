import { after } from 'node:test'
import type { NewPet } from '../../../core/index.ts'
import { testWith } from '../../contracts/testing/resource.ts'
import {
  createFileNamer,
  openTestDatabase,
  sqlite,
  type TestDatabase,
} from '../../contracts/testing/sqlite.ts'
import type { SqliteStore } from '../index.ts'

/** Defines a test that needs node:sqlite. */
export const test: ReturnType<typeof testWith> = testWith(sqlite)
export const createFileName: (name?: string) => string = createFileNamer()
export const rex: NewPet = { name: 'Rex', categoryId: 1n, status: 'sold' }

/** Opens a database and closes it after the tests. */
export function open(file: string = createFileName(), options: { readOnly?: boolean } = {}): TestDatabase {
  const database = openTestDatabase(file, options)
  after(() => database.close())
  return database
}

/** Starts an import that lasts until `finish` is called. */
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

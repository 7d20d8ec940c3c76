import { join } from 'node:path'
import type { SqliteDatabase } from '../../sqlite/database.ts'
import { getResource, type Resource } from './resource.ts'
import { createTemporaryFolder } from './temporary-folder.ts'

/** A database that can be closed. */
export interface TestDatabase extends SqliteDatabase {
  close(): void
}

interface SqliteModule {
  readonly DatabaseSync: new (file: string, options?: { readOnly?: boolean }) => TestDatabase
}

// The types for the oldest supported Node.js version do not include `node:sqlite`.
const module = process.getBuiltinModule('node:sqlite') as SqliteModule | undefined

export const sqlite: Resource<SqliteModule> = module
  ? { value: module }
  : { absent: `Node ${process.versions.node} does not have node:sqlite` }

/** Opens a database with `node:sqlite`, which must be present. */
export function openTestDatabase(file: string, options: { readOnly?: boolean } = {}): TestDatabase {
  return new (getResource(sqlite).DatabaseSync)(file, options)
}

/** Returns a function that creates file paths. The files are removed after the tests. */
export function createFileNamer(): (name?: string) => string {
  const folder = createTemporaryFolder()
  let count = 0
  return (name = 'animals.sqlite') => join(folder, `${++count}-${name}`)
}

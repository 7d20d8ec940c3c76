import { join } from 'node:path'
import type { SqliteDatabase } from '../../sqlite/database.ts'
import { type Part, partValue } from './part.ts'
import { temporaryFolder } from './temporary-folder.ts'

/** Members of node:sqlite's `DatabaseSync` that the tests use. */
export interface OpenDatabase extends SqliteDatabase {
  close(): void
}

interface SqliteModule {
  readonly DatabaseSync: new (file: string, options?: { readOnly?: boolean }) => OpenDatabase
}

// @types/node of the oldest version that is supported does not describe node:sqlite.
const module = process.getBuiltinModule('node:sqlite') as SqliteModule | undefined

export const sqlite: Part<SqliteModule> = module
  ? { value: module }
  : { absent: `Node ${process.versions.node} has no node:sqlite` }

/** Opens a database of node:sqlite. Must not be called if `sqlite` is absent. */
export function openSqlite(file: string, options: { readOnly?: boolean } = {}): OpenDatabase {
  return new (partValue(sqlite).DatabaseSync)(file, options)
}

/** Returns a function that returns a new path with each call. Their folder is removed when the test file is done. */
export function temporaryFiles(): (name?: string) => string {
  const folder = temporaryFolder()
  let count = 0
  return (name = 'animals.sqlite') => join(folder, `${++count}-${name}`)
}

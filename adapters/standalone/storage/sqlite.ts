import { closeSync, existsSync, openSync } from 'node:fs'
import { resolve } from 'node:path'
import { failureAtStart } from '../../sqlite/failure.ts'
import { createSqliteStore, type SqliteDatabase, type SqliteStore } from '../../sqlite.ts'
import { StartError, startWith } from '../errors.ts'
import { withFileCheck } from './file-check.ts'
import type { OpenImport, OpenStorage } from './open-storage.ts'

/** The part of node:sqlite that is used here. */
interface SqliteModule {
  readonly DatabaseSync: new (path: string) => SqliteDatabase & { close(): void }
}

/** Returns node:sqlite where the runtime has it: Node from 22.13 on, Deno, Bun. */
export function sqliteModule(): SqliteModule | undefined {
  return process.getBuiltinModule?.('node:sqlite') as SqliteModule | undefined // its types are newer than Node 20's
}

/**
 * Opens a database file, or creates it with the mode 0600; an existing file retains its mode. `source` is the flag or
 * variable that named it. Throws `StartError`.
 */
export function openSqlite(path: string, source: string): OpenStorage {
  const { store, close } = openSqliteForImport(path, source)
  return { store: withFileCheck(store, resolve(path)), close }
}

/** Opens a database file as `openSqlite` does, for an import. Throws `StartError`. */
export function openSqliteForImport(
  path: string,
  source: string,
): OpenImport & { readonly store: SqliteStore } {
  const sqlite = sqliteModule()
  if (!sqlite) {
    throw new StartError(
      `${source} needs node:sqlite, which Node ${process.versions.node} does not have: use Node 22.13 or later, --postgres, or --memory`,
    )
  }
  return startWith(source, () => {
    const database = openFile(sqlite, path)
    return { store: createSqliteStore({ database }), close: () => database.close() }
  })
}

function openFile({ DatabaseSync }: SqliteModule, path: string): InstanceType<SqliteModule['DatabaseSync']> {
  const file = resolve(path)
  createForOwner(file)
  try {
    return new DatabaseSync(file)
  } catch (cause) {
    throw failureAtStart(path, cause)
  }
}

/** Creates a new file that only its owner may read. SQLite gives the -wal and -shm files the mode of the database. */
function createForOwner(file: string): void {
  if (existsSync(file)) return
  try {
    closeSync(openSync(file, 'a', 0o600))
  } catch {
    // SQLite opens the same file next, and its error describes the failure.
  }
}

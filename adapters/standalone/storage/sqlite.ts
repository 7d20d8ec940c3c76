import { closeSync, existsSync, openSync } from 'node:fs'
import { resolve } from 'node:path'
import { failureAtStart } from '../../sqlite/failure.ts'
import { createSqliteStore, type SqliteDatabase, type SqliteStore } from '../../sqlite.ts'
import { StartError, startWith } from '../errors.ts'

/** What is used of node:sqlite. */
interface SqliteModule {
  readonly DatabaseSync: new (path: string) => SqliteDatabase & { close(): void }
}

/** node:sqlite, where the runtime has it: Node from 22.13 on, Deno, Bun. */
export function sqliteModule(): SqliteModule | undefined {
  return process.getBuiltinModule?.('node:sqlite') as SqliteModule | undefined // its types are newer than Node 20's
}

export interface OpenSqlite {
  readonly store: SqliteStore
  close(): void
}

/** Opens a file, or makes it with the mode 0600; an existing file keeps its mode. Throws `StartError` where that cannot be; `source` names where it was asked for. */
export function openSqlite(path: string, source: string): OpenSqlite {
  const sqlite = sqliteModule()
  if (!sqlite) {
    throw new StartError(
      `${source} needs node:sqlite, which Node ${process.versions.node} has not: use Node 22.13 or later, --postgres, or --memory`,
    )
  }
  return startWith(source, () => {
    const database = open(sqlite, path)
    return { store: createSqliteStore({ database }), close: () => database.close() }
  })
}

function open({ DatabaseSync }: SqliteModule, path: string): InstanceType<SqliteModule['DatabaseSync']> {
  const file = resolve(path)
  createForOwner(file)
  try {
    return new DatabaseSync(file)
  } catch (cause) {
    throw failureAtStart(path, cause)
  }
}

/** Makes a new file that only its owner may read. SQLite gives the -wal and -shm files the mode of the database. */
function createForOwner(file: string): void {
  if (existsSync(file)) return
  try {
    closeSync(openSync(file, 'a', 0o600))
  } catch {
    // SQLite opens the same file next, and its failure has the words for it.
  }
}

import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import type { SqliteDriver } from '../sqlite/index.ts'
import { UsageError } from './errors.ts'

/**
 * Returns the SQLite driver: `node:sqlite` if the runtime has it (Node from 22.13, Deno, Bun), otherwise better-sqlite3
 * 12 if it is installed next to this program. Version 13 crashes Node 20.
 */
export function findSqlite(): SqliteDriver | undefined {
  // Node 20's types lack `node:sqlite`.
  const builtIn = process.getBuiltinModule?.('node:sqlite') as { DatabaseSync: SqliteDriver } | undefined
  if (builtIn) return builtIn.DatabaseSync
  const require = createRequire(import.meta.url)
  try {
    const { version } = require('better-sqlite3/package.json') as { version: string }
    return version.startsWith('12.') ? require('better-sqlite3') : undefined
  } catch {
    return undefined // better-sqlite3 is not installed
  }
}

/**
 * Loads a driver that the operator installed next to this program. The working directory is not searched: other users
 * may be able to write there.
 *
 * @throws {UsageError} If the driver is not installed.
 */
export async function loadDriver(name: string, source: string): Promise<unknown> {
  let path: string
  try {
    path = createRequire(import.meta.url).resolve(name)
  } catch {
    throw new UsageError(`${source} requires the driver ${name}: npm install ${name} next to this program`)
  }
  return import(pathToFileURL(path).href)
}

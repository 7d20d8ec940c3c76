import type { Writable } from 'node:stream'
import type { Settings } from '../cli/settings.ts'
import { readStorage } from '../cli/storage-settings.ts'
import type { SchemaVersions } from './schema.ts'
import { migratorOf } from './storage.ts'

/**
 * Runs the migrations that a storage lacks. Resolves with the exit code 0. Rejects with `UsageError`, or with `StartError`
 * where the storage cannot be used: then it is as it was.
 */
export async function migrateStorage(settings: Settings, { stdout }: { stdout: Writable }): Promise<number> {
  const migrate = migratorOf(readStorage(settings))
  stdout.write(`${described(await migrate())}\n`)
  return 0
}

function described({ from, to }: SchemaVersions): string {
  if (from === to) return `the storage has schema ${to} already`
  return from === 0
    ? `created the storage with schema ${to}`
    : `migrated the storage from schema ${from} to ${to}`
}

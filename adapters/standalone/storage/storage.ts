import { createMemoryStore } from '../../../core/index.ts'
import type { Settings } from '../cli/settings.ts'
import { quoted, quotedVariable } from '../cli/shell.ts'
import { UsageError } from '../errors.ts'
import type { LastingStorage, OpenOptions, OpenStorage, StorageLog } from './open-storage.ts'
import { postgresStorage, tableFlag } from './postgres.ts'
import { sqliteModule, sqliteStorage } from './sqlite.ts'
import { readStorage, type StorageChoice } from './storage-settings.ts'

/** The file of the animals where no storage is named and the runtime has SQLite. */
const defaultFile = 'animals.sqlite'

/** The storages that outlive the process. */
const lasting: Readonly<Record<string, (choice: StorageChoice) => LastingStorage>> = {
  data: sqliteStorage,
  postgres: postgresStorage,
}

/** Opens the storage that was chosen, and never another one. Rejects with `StartError`. */
export async function openStorage(
  choice: StorageChoice | undefined,
  log: StorageLog,
  options: OpenOptions = { migrates: true, clock: Date.now },
): Promise<OpenStorage> {
  const chosen = choice && lasting[choice.kind]?.(choice)
  if (chosen) return chosen.open(log, options)
  if (!choice && sqliteModule()) {
    log.info('storage', `the animals are stored in ${defaultFile}, in this folder`)
    return sqliteStorage({ value: defaultFile, source: '--data' }).open(log, options)
  }
  if (!choice)
    log.warning('memory', 'the animals are stored in memory only: ALL ARE LOST when the server stops')
  const check = async () => ({ readFailure: undefined, writeFailure: undefined }) // memory does not fail
  return { store: createMemoryStore(), check, close() {} }
}

/**
 * Returns the flag with which a command finds the storage of a server, or its default file, without a password.
 * Undefined where the server has none that outlives it.
 */
export function storageFlag(choice: StorageChoice | undefined): string | undefined {
  if (choice ? choice.kind === 'memory' : !sqliteModule()) return undefined
  if (choice?.kind === 'postgres')
    return `--postgres ${quotedVariable('DATABASE_URL')}${tableFlag(choice.table)}`
  return `--data ${quoted(choice?.value ?? defaultFile)}`
}

/** Returns the chosen storage for a command. Throws `UsageError` where none was chosen that outlives it. */
export function lastingStorage(choice: StorageChoice | undefined, command: string): LastingStorage {
  const storage = choice && lasting[choice.kind]?.(choice)
  if (storage) return storage
  throw new UsageError(`${command} requires a storage for the animals: --data FILE or --postgres URL`)
}

/**
 * Runs the migrations that a storage lacks. Resolves with what it has done. Rejects with `UsageError`, or with
 * `StartError` where the storage cannot be used: then it is as it was.
 */
export async function migrateStorage(settings: Settings): Promise<string> {
  const storage = lastingStorage(readStorage(settings), 'migrate')
  const start = performance.now()
  const { from, to } = await storage.migrate()
  const done =
    from === 0 ? `created the storage with schema ${to}` : `migrated the storage from schema ${from} to ${to}`
  const duration = `${Math.ceil(performance.now() - start)} ms`
  return from === to ? `the storage has schema ${to} already\n` : `${done} in ${duration}\n`
}

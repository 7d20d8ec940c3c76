import { createMemoryStore } from '../../../core/index.ts'
import { UsageError } from '../errors.ts'
import type { LastingStorage, OpenOptions, OpenStorage, StorageLog } from './open-storage.ts'
import { createPostgresStorage } from './postgres.ts'
import { createSqliteStorage, findSqlite } from './sqlite.ts'
import { readStorage, type StorageChoice, type StorageSettings } from './storage-settings.ts'

/** The storages that outlive the process. */
const lasting: Readonly<Record<string, (choice: StorageChoice) => LastingStorage>> = {
  data: createSqliteStorage,
  postgres: createPostgresStorage,
}

/** Returns the default storage: a file in this folder if the runtime has SQLite, otherwise memory. */
export function chooseDefaultStorage(): StorageChoice {
  return findSqlite()
    ? { kind: 'data', value: 'animals.sqlite', source: '--data' }
    : { kind: 'memory', value: 'on', source: '--memory' }
}

/** Opens the chosen storage, never another one. Rejects with `StartError`. */
export async function openStorage(
  choice: StorageChoice | undefined,
  log: StorageLog,
  options: OpenOptions = { migrates: true, clock: Date.now },
): Promise<OpenStorage> {
  const chosen = choice ?? chooseDefaultStorage()
  const storage = lasting[chosen.kind]?.(chosen)
  if (!choice) {
    if (storage) log.info('storage', `the animals are stored in ${chosen.value}, in this folder`)
    else log.warning('memory', 'the animals are stored in memory only: ALL ARE LOST when the server stops')
  }
  if (storage) return storage.open(log, options)
  const check = async () => ({ readFailure: undefined, writeFailure: undefined }) // memory does not fail
  return { store: createMemoryStore(), check, close() {} }
}

/** Returns the chosen storage for a command. Throws `UsageError` if it does not outlive the command. */
export function requireLastingStorage(choice: StorageChoice | undefined, command: string): LastingStorage {
  const storage = choice && lasting[choice.kind]?.(choice)
  if (storage) return storage
  throw new UsageError(`${command} requires a storage for the animals: --data FILE or --postgres URL`)
}

/**
 * Runs the migrations that a storage lacks. Resolves with the output of the command. Rejects with `UsageError`, or with
 * `StartError` if the storage cannot be used; nothing has changed then.
 */
export async function migrateStorage(settings: StorageSettings): Promise<string> {
  const storage = requireLastingStorage(readStorage(settings), 'migrate')
  const start = performance.now()
  const { from, to } = await storage.migrate()
  const done =
    from === 0 ? `created the storage with schema ${to}` : `migrated the storage from schema ${from} to ${to}`
  const duration = `${Math.ceil(performance.now() - start)} ms`
  return from === to ? `the storage has schema ${to} already\n` : `${done} in ${duration}\n`
}

/**
 * Copies a SQLite file into a new one, while servers use it. Resolves with the output of the command. Rejects with
 * `UsageError` or `StartError`, and creates no file then.
 */
export async function backupStorage(settings: StorageSettings, file: string): Promise<string> {
  await requireLastingStorage(readStorage(settings), 'backup').backup(file)
  return `copied the storage to ${file}\n`
}

import { createMemoryStore } from '../../../core/index.ts'
import type { Setting } from '../cli/settings.ts'
import { UsageError } from '../errors.ts'
import type { Log } from '../log/log.ts'
import type { OpenImport, OpenStorage } from './open-storage.ts'
import { openPostgres, openPostgresForImport } from './postgres.ts'
import { openSqlite, openSqliteForImport, sqliteModule } from './sqlite.ts'

/** The flags that name a storage of the animals; they exclude each other. */
export const storageKinds = ['memory', 'data', 'postgres'] as const

/** The flag that was given, with its value. */
export interface StorageChoice extends Setting {
  readonly kind: (typeof storageKinds)[number]
}

/** The file of the animals where no storage is named and the runtime has SQLite. */
export const defaultFile = 'animals.sqlite'

export type StorageLog = Pick<Log, 'info' | 'warning'>

interface Opener {
  open(choice: StorageChoice, log: StorageLog): OpenStorage | Promise<OpenStorage>
  /** Undefined for a storage that does not outlive an import. */
  readonly openForImport: ((choice: StorageChoice) => OpenImport | Promise<OpenImport>) | undefined
}

const openers: Readonly<Record<StorageChoice['kind'], Opener>> = {
  memory: {
    open: () => ({ store: createMemoryStore(), close: () => {} }),
    openForImport: undefined,
  },
  data: {
    open: ({ value, source }) => openSqlite(value, source),
    openForImport: ({ value, source }) => openSqliteForImport(value, source),
  },
  postgres: {
    open: ({ value, source }, log) => openPostgres(value, source, log),
    openForImport: ({ value, source }) => openPostgresForImport(value, source),
  },
}

/** Opens the storage that was chosen, and never another one. Rejects with `StartError`. */
export async function openStorage(choice: StorageChoice | undefined, log: StorageLog): Promise<OpenStorage> {
  if (choice) return openers[choice.kind].open(choice, log)
  if (sqliteModule()) {
    log.info('storage', `the animals are stored in ${defaultFile}, in this folder`)
    return openSqlite(defaultFile, '--data')
  }
  log.warning('memory', 'the animals are stored in memory only: ALL ARE LOST when the server stops')
  return { store: createMemoryStore(), close: () => {} }
}

/** Returns a function that opens the chosen storage for an import. Throws `UsageError` where none was chosen that outlives it. */
export function importOpener(choice: StorageChoice | undefined): () => Promise<OpenImport> {
  const open = choice && openers[choice.kind].openForImport
  if (!open) {
    throw new UsageError('import requires a storage for the animals: --data FILE or --postgres URL')
  }
  return async () => open(choice)
}

import { createMemoryStore, type NewPet, type PetStore } from '../../../core/index.ts'
import type { Setting } from '../cli/settings.ts'
import { UsageError } from '../errors.ts'
import type { Log } from '../log/log.ts'
import { openPostgres, openPostgresForImport } from './postgres.ts'
import { openSqlite, openSqliteForImport, sqliteModule } from './sqlite.ts'

/** The flags that name a storage of the animals; they exclude each other. */
export const storageKinds = ['memory', 'data', 'postgres'] as const

/** The flag that was given, with its value. */
export interface StorageChoice extends Setting {
  readonly kind: (typeof storageKinds)[number]
}

export interface OpenStorage {
  readonly store: PetStore
  /** Called after the last response. */
  close(): void | Promise<void>
}

/** A storage that an import writes to. */
export interface OpenImport {
  readonly store: {
    /** Stores all of these animals, or none where one is invalid. Resolves with their number. */
    importPets(pets: AsyncIterable<NewPet>): Promise<number>
  }
  close(): void | Promise<void>
}

/** The file of the animals where no storage is named and the runtime has SQLite. */
export const defaultFile = 'animals.sqlite'

export type StorageLog = Pick<Log, 'info' | 'warning'>

interface Opener {
  open(choice: StorageChoice, log: StorageLog): OpenStorage | Promise<OpenStorage>
  openForImport(choice: StorageChoice): OpenImport | Promise<OpenImport>
}

const openers: Readonly<Record<StorageChoice['kind'], Opener>> = {
  memory: {
    open: () => ({ store: createMemoryStore(), close: () => {} }),
    openForImport: () => {
      throw importNeedsStorage()
    },
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

/** Opens the storage that was chosen for an import. Rejects with `UsageError` without one, or with `StartError`. */
export async function openForImport(choice: StorageChoice | undefined): Promise<OpenImport> {
  if (!choice) throw importNeedsStorage()
  return openers[choice.kind].openForImport(choice)
}

function importNeedsStorage(): UsageError {
  return new UsageError('import requires a storage for the animals: --data FILE or --postgres URL')
}

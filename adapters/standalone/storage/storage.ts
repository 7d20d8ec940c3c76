import { createMemoryStore, type PetStore } from '../../../core/index.ts'
import type { Setting } from '../cli/settings.ts'
import type { Log } from '../log/log.ts'
import { openPostgres } from './postgres.ts'
import { openSqlite, sqliteModule } from './sqlite.ts'

/** The flags that say where the animals are kept; they exclude each other. */
export const storageKinds = ['memory', 'data', 'postgres'] as const

/** One of them, as it was given. */
export interface StorageChoice extends Setting {
  readonly kind: (typeof storageKinds)[number]
}

export interface OpenStorage {
  readonly store: PetStore
  /** Called when the last request has its answer. */
  close(): void | Promise<void>
}

/** Where the animals are kept when nothing is said, where the runtime has SQLite. */
export const defaultFile = 'animals.sqlite'

const openers: Readonly<
  Record<StorageChoice['kind'], (choice: StorageChoice, log: Log) => OpenStorage | Promise<OpenStorage>>
> = {
  memory: () => ({ store: createMemoryStore(), close: () => {} }),
  data: ({ value, source }) => openSqlite(value, source),
  postgres: ({ value, source }, log) => openPostgres(value, source, log),
}

/** Opens what was asked for, or throws `StartError`: never something else instead. */
export async function openStorage(choice: StorageChoice | undefined, log: Log): Promise<OpenStorage> {
  if (choice) return openers[choice.kind](choice, log)
  if (sqliteModule()) {
    log.info('storage', `the animals are kept in ${defaultFile}, in this folder`)
    return openSqlite(defaultFile, '--data')
  }
  log.warning('memory', 'the animals are kept in memory only: ALL ARE LOST when the server stops')
  return { store: createMemoryStore(), close: () => {} }
}

import type { EventEmitter } from 'node:events'
import { createMemoryStore } from '../../../core/index.ts'
import type { SchemaVersions } from '../../sql/schema-versions.ts'
import type { Setting } from '../cli/settings.ts'
import { UsageError } from '../errors.ts'
import type { Log } from '../log/log.ts'
import type { CommandOptions, OpenAnimals, OpenKeyRecords, OpenOptions, OpenStorage } from './open-storage.ts'
import {
  migratePostgres,
  openPostgres,
  openPostgresAnimals,
  openPostgresKeys,
  type PostgresPlace,
  tableFlag,
} from './postgres.ts'
import { migrateSqlite, openSqlite, openSqliteAnimals, openSqliteKeys, sqliteModule } from './sqlite.ts'

/** The flags that name a storage of the animals; they exclude each other. */
export const storageKinds = ['memory', 'data', 'postgres'] as const

/** The flag that was given, with its value. */
export interface StorageChoice extends Setting {
  readonly kind: (typeof storageKinds)[number]
  /** The table of the animals in PostgreSQL; `pets` by default. */
  readonly table?: string
  /** The most connections to one PostgreSQL; 10 by default. */
  readonly poolSize?: number
  /** The folder that has the driver of PostgreSQL; by default next to the program. */
  readonly drivers?: string
}

/** The file of the animals where no storage is named and the runtime has SQLite. */
export const defaultFile = 'animals.sqlite'

export type StorageLog = Pick<Log, 'info' | 'warning'>

/** A storage that outlives the process, as commands use it. What its methods throw or reject with is a `StartError`. */
export interface LastingStorage {
  openAnimals(options: CommandOptions): OpenAnimals | Promise<OpenAnimals>
  openKeys(options: CommandOptions): OpenKeyRecords | Promise<OpenKeyRecords>
  /** Runs the migrations that it lacks, which signals interrupt. */
  migrate(events: EventEmitter): SchemaVersions | Promise<SchemaVersions>
}

interface Opener {
  open(choice: StorageChoice, log: StorageLog, options: OpenOptions): OpenStorage | Promise<OpenStorage>
  /** Undefined for a storage that ends with the process. */
  readonly lasting: ((choice: StorageChoice) => LastingStorage) | undefined
}

const openers: Readonly<Record<StorageChoice['kind'], Opener>> = {
  memory: { open: openMemory, lasting: undefined },
  data: {
    open: ({ value, source }, log, options) => openSqlite(value, source, log, options),
    lasting: ({ value, source }) => ({
      openAnimals: (options) => openSqliteAnimals(value, source, options),
      openKeys: (options) => openSqliteKeys(value, source, options),
      migrate: () => migrateSqlite(value, source),
    }),
  },
  postgres: {
    open: (choice, log, options) => openPostgres(placeOf(choice), choice.poolSize ?? 10, log, options),
    lasting: (choice) => ({
      openAnimals: (options) => openPostgresAnimals(placeOf(choice), options),
      openKeys: (options) => openPostgresKeys(placeOf(choice), options),
      migrate: (events) => migratePostgres(placeOf(choice), events),
    }),
  },
}

function placeOf({ value, source, table = 'pets', drivers }: StorageChoice): PostgresPlace {
  return { url: value, source, table, drivers }
}

/** Opens the storage that was chosen, and never another one. Rejects with `StartError`. */
export async function openStorage(
  choice: StorageChoice | undefined,
  log: StorageLog,
  options: OpenOptions = { migrates: true, clock: Date.now },
): Promise<OpenStorage> {
  if (choice) return openers[choice.kind].open(choice, log, options)
  if (sqliteModule()) {
    log.info('storage', `the animals are stored in ${defaultFile}, in this folder`)
    return openSqlite(defaultFile, '--data', log, options)
  }
  log.warning('memory', 'the animals are stored in memory only: ALL ARE LOST when the server stops')
  return openMemory()
}

/** Memory does not fail. */
function openMemory(): OpenStorage {
  const health = { readFailure: undefined, writeFailure: undefined }
  return { store: createMemoryStore(), health: () => health, check: async () => health, close() {} }
}

/** Returns the flag with which a command finds the storage of a server, or its default file, without a password. */
export function storageFlag(choice: StorageChoice | undefined): string {
  if (choice?.kind === 'postgres') return `--postgres "$DATABASE_URL"${tableFlag(choice.table)}`
  const file = choice?.value ?? defaultFile
  return `--data ${/^[\w./-]+$/.test(file) ? file : JSON.stringify(file)}`
}

/** Returns the chosen storage for a command. Throws `UsageError` where none was chosen that outlives it. */
export function lastingStorage(choice: StorageChoice | undefined, command: string): LastingStorage {
  const lasting = choice && openers[choice.kind].lasting
  if (!lasting)
    throw new UsageError(`${command} requires a storage for the animals: --data FILE or --postgres URL`)
  return lasting(choice)
}

import type { KeyStore, MaybePromise, PetStore } from '../../../core/index.ts'
import type { PostgresStore } from '../../postgres/index.ts'
import type { KeyRecords } from '../../sql/key-records.ts'
import type { SchemaVersions } from '../../sql/schema-versions.ts'
import type { Print } from '../cli/print.ts'
import type { Log } from '../log/log.ts'
import type { PoolConnections } from '../postgres/pools.ts'

export type StorageLog = Pick<Log, 'info' | 'warning'>

/** Options of `LastingStorage.open`. */
export interface OpenOptions {
  /** True if missing tables are created. Otherwise they are a `StartError`. */
  readonly migrates: boolean
  /** Returns milliseconds since the epoch. It decides which keys have expired. */
  readonly clock: () => number
}

/** The health of a storage. */
export interface StorageHealth {
  /** The error of reads; undefined if they work. */
  readonly readFailure: unknown
  /** The error of writes; undefined if they work. */
  readonly writeFailure: unknown
}

/** A storage that a server uses. */
export interface OpenStorage {
  readonly store: Required<PetStore>
  /** Its keys; absent for a storage that ends with the process. */
  readonly keys?: KeyStore & KeyRecords
  /** Checks both, at most once a second. Resolves within two seconds; never rejects. */
  check(): Promise<StorageHealth>
  /** Returns the state of its pool now; absent for a storage without one. */
  connections?(): PoolConnections
  /** Called after the last response. */
  close(): void | Promise<void>
}

/** A storage as a command uses it. */
export interface CommandStorage {
  readonly store: Pick<Required<PetStore>, 'update' | 'remove'> &
    Pick<PostgresStore, 'importPets' | 'exportPets'>
  readonly records: KeyRecords
  close(): void | Promise<void>
}

/** A storage that outlives the process. Its methods throw or reject with a `StartError`. */
export interface LastingStorage {
  /** Opens it for a server. A file that does not exist is created. */
  open(log: StorageLog, options: OpenOptions): Promise<OpenStorage>
  /** Opens it for a command. A file that does not exist is created if `creates` is true. */
  openForCommand(clock: () => number, creates: boolean): MaybePromise<CommandStorage>
  /** Runs the migrations that it lacks. */
  migrate(): MaybePromise<SchemaVersions>
  /** Copies it into a new file while servers use it. */
  backup(file: string): Promise<void>
}

/**
 * Does the work of a command with the storage of its command line. Resolves with the output to print at its end;
 * `print` is for what must be printed before the storage changes.
 */
export type Work = (storage: CommandStorage, print: Print) => Promise<string>

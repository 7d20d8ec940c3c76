import type { EventEmitter } from 'node:events'
import type { KeyRecords, KeyStore, NewPet, Pet, PetStore } from '../../../core/index.ts'
import type { Log } from '../log/log.ts'
import type { PoolConnections } from '../postgres/pool.ts'

/** How the storage of a server is opened. */
export interface OpenOptions {
  /** Whether the migrations that it lacks are run; otherwise their lack is a `StartError`. */
  readonly migrates: boolean
  /** Returns the milliseconds since the epoch. It decides which keys have expired. */
  readonly clock: () => number
  /** Emits the signals that interrupt a migration. */
  readonly events?: EventEmitter
}

/** How a command opens a storage. */
export interface CommandOptions extends Pick<OpenOptions, 'clock' | 'events'> {
  /** Whether a storage that does not exist is created. */
  readonly creates: boolean
  /** Whether nothing is changed, so that a file on a read-only mount will do. */
  readonly reads?: boolean
  /** Records the migration that it runs. */
  readonly log: Pick<Log, 'info' | 'warning'>
}

/** Whether a storage works, as it was when it was last checked. */
export interface StorageHealth {
  /** Why animals cannot be read; undefined where they can. */
  readonly readFailure: unknown
  /** Why animals cannot be stored; undefined where they can. */
  readonly writeFailure: unknown
}

/** A storage that a server uses. */
export interface OpenStorage {
  readonly store: PetStore
  /** Its keys; absent for a storage that ends with the process. */
  readonly keys?: KeyStore & KeyRecords
  /** Returns the health as it is known. */
  health(): StorageHealth
  /** Checks whether animals can be read and stored, at most once a second. Resolves within two seconds; never rejects. */
  check(): Promise<StorageHealth>
  /** Returns the state of its pool now; absent for a storage without one. */
  connections?(): PoolConnections
  /** Called after the last response. */
  close(): void | Promise<void>
}

/** The animals of a storage, as a command uses them. */
export interface OpenAnimals {
  readonly store: Pick<Required<PetStore>, 'get' | 'update' | 'remove'> & {
    /** Stores all of these animals, or none if one is invalid. Resolves with their number. */
    importPets(pets: AsyncIterable<NewPet | Pet>): Promise<number>
    /** Yields all animals by ascending id, as they are at the beginning. */
    exportPets(): AsyncIterable<Pet>
  }
  close(): void | Promise<void>
}

/** The records of keys that a command reads or changes. */
export interface OpenKeyRecords {
  readonly records: KeyRecords
  close(): void | Promise<void>
}

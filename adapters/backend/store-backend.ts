import type { KeyStore, NewPet, Pet, PetStore } from '../../core/index.ts'
import type { Backend } from './backend.ts'
import type { KeyManagement } from './key-management.ts'
import type { KeyRecords } from './key-records.ts'

/** Imports and exports animals in bulk, without loading them all into memory. */
export interface Transfer {
  /**
   * Imports all animals, or none if one cannot be stored or `pets` throws. Returns how many were imported.
   *
   * An animal with an ID keeps it, if the ID is from 1 to 2^53 − 1. Other animals get the ID after the highest one at
   * that moment. Animals created later also get IDs above the highest one.
   *
   * @throws {TypeError} If an ID is out of range.
   * @throws {Error} If an ID is already stored. The message names the ID.
   */
  importPets(pets: Iterable<NewPet | Pet> | AsyncIterable<NewPet | Pet>): Promise<number>
  /**
   * Yields all animals in ascending order by ID, as they were when the export began. At most 1,000 animals are held in
   * memory.
   */
  exportPets(): AsyncIterable<Pet>
}

/** Thrown if an imported animal has an ID that is already stored. */
export class ExistingIdError extends Error {
  readonly id: bigint

  constructor(id: bigint) {
    super(`an animal with the id ${id} already exists`)
    this.id = id
  }
}

/** A database's schema version before and after a migration. */
export interface SchemaVersions {
  /** Version before the migration, or 0 if the tables did not exist. */
  readonly from: number
  /** Version that this package requires. */
  readonly to: number
}

/** A key store whose keys can be listed, issued, rotated, revoked and imported. */
export interface ManagedKeyStore extends KeyStore, KeyRecords, KeyManagement {}

/** A backend that stores animals and keys. */
export interface StoreBackend extends Backend {
  /** Stores animals. Pass it to `createPetService`. */
  readonly store: Required<PetStore> & Transfer
  /** Stores keys. Pass it to `createPetService`. */
  readonly keys: ManagedKeyStore
  /** Schema versions before and after the storage was opened. */
  readonly versions: SchemaVersions
}

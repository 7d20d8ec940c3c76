import type { NewPet, PetStore } from '../../../core/index.ts'

/** A storage that a server uses. */
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

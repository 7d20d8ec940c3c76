import type { NewPet, Pet, PetStatus } from './pet.ts'

/** The query of a list of animals. */
export interface PetQuery {
  /** The maximum number of animals, from 1 to 101: the service requests one more than its client. */
  readonly limit: number
  /** Only animals of this status; of any status if it is absent. */
  readonly status?: PetStatus
  /** Only animals with a greater id. Any int64; from the first animal if it is absent. */
  readonly after?: bigint
}

/**
 * Stores the animals. Every method returns its result or a promise of it. It throws `StoreUnavailable` while it cannot
 * work, which becomes a 503; any other error becomes a 500.
 */
export interface PetStore {
  /** Stores an animal and returns it with its id: positive, never used before, at most 2^53 − 1. */
  create(pet: NewPet): Pet | Promise<Pet>
  /** Returns the animal with an id, which may be any int64; undefined if there is none. */
  get(id: bigint): Pet | undefined | Promise<Pet | undefined>
  /**
   * Returns the animals that match, by ascending id. A frozen array shows that neither it nor its animals ever change:
   * when the store returns the same array again, the service reuses its JSON.
   */
  list(query: PetQuery): readonly Pet[] | Promise<readonly Pet[]>
}

import type { NewPet, Pet, PetStatus } from './pet.ts'

/** Which animals a page holds. */
export interface PetQuery {
  /** At most so many: from 1 to 101, since the service asks for one more than its caller did. */
  readonly limit: number
  /** Only animals of this status; of any where absent. */
  readonly status?: PetStatus
  /** Only animals with a greater id, which may be any int64; from the first one where absent. */
  readonly after?: bigint
}

/**
 * Where the animals are kept. Every method may answer at once or with a promise. One that cannot answer for now throws
 * (or rejects with) `StoreUnavailable`, which becomes a 503; anything else it throws becomes a 500.
 */
export interface PetStore {
  /** Keeps an animal and answers it with the id assigned: positive, never used before, within 2^53 − 1. */
  create(pet: NewPet): Pet | Promise<Pet>
  /** The animal with this id, which may be any int64. */
  get(id: bigint): Pet | undefined | Promise<Pet | undefined>
  /**
   * The animals that match, by ascending id. A frozen array promises that neither it nor its animals ever change: when
   * the store answers with it again, its JSON is not made again.
   */
  list(query: PetQuery): readonly Pet[] | Promise<readonly Pet[]>
}

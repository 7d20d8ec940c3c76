import type { MaybePromise } from '../base/maybe-promise.ts'
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

/** A page of animals as JSON text. */
export interface PetPage {
  /** A bare array of the animals (spec 2), each as `petToJson` writes it. The service sends it as it is. */
  readonly json: string
  /** The length of `json` in UTF-8, if it is known. */
  readonly bytes?: number
  /** The id of the last animal of the page, if more animals match behind it. */
  readonly next?: bigint | undefined
}

/** Changes of an animal. A member that is absent leaves its field as it is. */
export interface PetChanges {
  /** The new name. */
  readonly name?: string
  /** The new category. */
  readonly categoryId?: bigint
  /** `null` removes the status. */
  readonly status?: PetStatus | null
}

/** Identifies a creation that its client may send again, by the `Idempotency-Key` of the request. */
export interface CreationKey {
  /** The SHA-256 of the caller and the header, as 64 lower-case hexadecimal digits. */
  readonly token: string
  /** The SHA-256 of the animal, as 64 lower-case hexadecimal digits. */
  readonly fingerprint: string
  /** The time of the request, in milliseconds since the epoch. */
  readonly now: number
  /**
   * Expiry of the creation, in milliseconds since the epoch: later than `now`. It has expired for a key whose `now` is
   * the same or greater. A store that several servers share uses a clock of its own, and only the difference of both
   * times.
   */
  readonly expiresAt: number
}

/**
 * The outcome of a creation with a key. The animal was `created` now, or earlier by the same creation, which is
 * `replayed`. If the token belongs to a creation with another fingerprint, it is `reused`, and nothing is stored.
 */
export type CreateOnceResult =
  | { readonly outcome: 'created' | 'replayed'; readonly id: bigint }
  | { readonly outcome: 'reused' }

/**
 * Stores the animals. Every method returns its result or a promise of it. It throws `StoreUnavailable` while it cannot
 * work, which becomes a 503; any other error becomes a 500.
 */
export interface PetStore {
  /** Stores an animal and returns it with its id: positive, never used before, at most 2^53 − 1. */
  create(pet: NewPet): Pet | Promise<Pet>
  /** Returns the animal with an id, which may be any int64; undefined for an unknown id. */
  get(id: bigint): Pet | undefined | Promise<Pet | undefined>
  /** Returns the animals that match, by ascending id. */
  list(query: PetQuery): readonly Pet[] | Promise<readonly Pet[]>
  /**
   * Returns what `list` returns as JSON text, for a store that can write it faster than the service, such as a
   * database. The service then calls this instead of `list`, with the limit of its client: 1 to 100.
   */
  page?(query: PetQuery): PetPage | Promise<PetPage>
  /**
   * Stores an animal unless a creation with the same token is stored that has not expired. The animal and the key are
   * stored together, or neither is: also if the process ends in between, and for any number of calls at once. The key
   * is stored until it expires, whatever becomes of the animal. A service whose store lacks this method ignores
   * `Idempotency-Key`.
   */
  createOnce?(pet: NewPet, key: CreationKey): CreateOnceResult | Promise<CreateOnceResult>
  /** Returns the earlier creation of a key, if one is stored that has not expired. Required with `createOnce`. */
  findCreated?(key: CreationKey): CreateOnceResult | undefined | Promise<CreateOnceResult | undefined>
  /** Changes an animal and returns it with the changes; undefined for an unknown id. */
  update?(id: bigint, changes: PetChanges): Pet | undefined | Promise<Pet | undefined>
  /** Removes an animal and returns whether it was there. Its id is never assigned again. */
  remove?(id: bigint): boolean | Promise<boolean>
}

/** The effect of a method of a store on the animals. */
export type StoreEffect = 'reads' | 'writes'

/** The effect of each method of a store. Every wrapper reads this table: a new method has one row. */
export const storeMethods: Readonly<Record<keyof PetStore, StoreEffect>> = {
  create: 'writes',
  get: 'reads',
  list: 'reads',
  page: 'reads',
  createOnce: 'writes',
  findCreated: 'reads',
  update: 'writes',
  remove: 'writes',
}

/** Wraps a method of a store. Its parameters and its result stay the same. */
export type WrapMethod = <Parameters extends unknown[], Result>(
  effect: StoreEffect,
  method: (...parameters: Parameters) => MaybePromise<Result>,
) => (...parameters: Parameters) => MaybePromise<Result>

/**
 * Returns a store with the methods that two stores have: reading methods of one and writing methods of the other. Each
 * is wrapped with the effect in its row. Members that are not in `PetStore` are left out.
 */
export function wrapStore<Store extends PetStore>(
  stores: Readonly<Record<StoreEffect, Store>>,
  wrap: WrapMethod,
): Store extends Required<PetStore> ? Required<PetStore> : PetStore {
  const methods = Object.entries(storeMethods).flatMap(([name, effect]) => {
    const store = stores[effect]
    const method = store[name as keyof PetStore] as ((...parameters: unknown[]) => unknown) | undefined // by the table
    return method ? [[name, wrap(effect, method.bind(store))]] : []
  })
  return Object.fromEntries(methods)
}

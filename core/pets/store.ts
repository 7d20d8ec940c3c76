import type { MaybePromise } from '../base/maybe-promise.ts'
import type { NewPet, Pet, PetStatus } from './pet.ts'

/** Describes which animals to list. */
export interface PetQuery {
  /** Maximum animals on the page, an integer from 1 to 101. The service requests one more than its client. */
  readonly limit: number
  /** Returns only animals with this status. By default, animals with any status or none. */
  readonly status?: PetStatus
  /** Returns only animals with an ID greater than this int64. By default, all animals. */
  readonly after?: bigint
}

/** A page in a list of animals. */
export interface PetPage {
  /** The animals as a JSON array (spec 2), each as `petToJson` formats it. The service sends the text unchanged. */
  readonly json: string
  /** The length of `json` in bytes when it is encoded in UTF-8, if the length is known. */
  readonly bytes?: number
  /** The last ID on this page if there is a next page. */
  readonly next?: bigint | undefined
}

/** Changes to an animal. Members that are `undefined` stay unchanged. */
export interface PetChanges {
  /** The new name. */
  readonly name?: string
  /** The new category ID, an int64. */
  readonly categoryId?: bigint
  /** The new status, or `null` to remove it. */
  readonly status?: PetStatus | null
}

/** Identifies a creation with an idempotency key. */
export interface CreationKey {
  /** SHA-256 hash over the caller and the idempotency key, as 64 lower-case hexadecimal digits. */
  readonly token: string
  /** SHA-256 hash over the animal, as 64 lower-case hexadecimal digits. */
  readonly fingerprint: string
  /** Request time, in milliseconds since the epoch. */
  readonly now: number
  /**
   * When the key expires, in milliseconds since the epoch. The key has expired for requests whose `now` is at least
   * this time. A store that several servers share should add the difference `expiresAt - now` to its own clock.
   */
  readonly expiresAt: number
}

/**
 * The result of `createOnce`:
 *
 * - `created`: the animal was added.
 * - `replayed`: an earlier request with the same key and animal added it.
 * - `reused`: an earlier request had the same key and a different animal. Nothing was added.
 */
export type CreateOnceResult =
  | { readonly outcome: 'created' | 'replayed'; readonly id: bigint }
  | { readonly outcome: 'reused' }

/**
 * Stores animals. A method returns its result or a promise for it. While the store cannot work, its methods throw a
 * `StoreUnavailableError`, which becomes a 503. Any other error becomes a 500.
 */
export interface PetStore {
  /** Adds an animal and returns it with its ID, an integer from 1 to 2^53 - 1 that was never used before. */
  create(pet: NewPet): Pet | Promise<Pet>
  /** Returns the animal with an ID, or `undefined` if there is none. The ID may be any int64. */
  get(id: bigint): Pet | undefined | Promise<Pet | undefined>
  /** Returns the animals that match a query, by ascending ID. */
  list(query: PetQuery): readonly Pet[] | Promise<readonly Pet[]>
  /**
   * Returns a page as JSON, for stores that can format it faster than the service, such as databases. The service then
   * calls this method instead of `list`, with the client's limit from 1 to 100.
   */
  page?(query: PetQuery): PetPage | Promise<PetPage>
  /**
   * Adds an animal, unless a creation with the same token is stored and has not expired. Both are stored in one
   * transaction, so that a crash or concurrent calls never add an animal twice. The creation is stored until it
   * expires, even if the animal is removed. Without this method, the service ignores `Idempotency-Key`.
   */
  createOnce?(pet: NewPet, key: CreationKey): CreateOnceResult | Promise<CreateOnceResult>
  /**
   * Returns the earlier creation with a key, or `undefined` if none is stored or it has expired. Required with
   * `createOnce`.
   */
  findCreated?(key: CreationKey): CreateOnceResult | undefined | Promise<CreateOnceResult | undefined>
  /** Changes an animal and returns the changed animal, or `undefined` if there is none with this ID. */
  update?(id: bigint, changes: PetChanges): Pet | undefined | Promise<Pet | undefined>
  /** Removes an animal, and returns whether it existed. Its ID is never used again. */
  remove?(id: bigint): boolean | Promise<boolean>
}

/** A store method's name. */
export type StoreMethod = keyof PetStore

/** A store that has the given optional methods. */
export type StoreWith<Method extends StoreMethod> = PetStore & Required<Pick<PetStore, Method>>

/** Whether a method reads or writes animals. */
export type StoreEffect = 'reads' | 'writes'

/** Which store methods read and which write. All wrappers use this table. */
export const storeMethods: Readonly<Record<StoreMethod, StoreEffect>> = {
  create: 'writes',
  get: 'reads',
  list: 'reads',
  page: 'reads',
  createOnce: 'writes',
  findCreated: 'reads',
  update: 'writes',
  remove: 'writes',
}

/** Wraps a store method. */
export type WrapMethod = <Parameters extends unknown[], Result>(
  effect: StoreEffect,
  method: (...parameters: Parameters) => MaybePromise<Result>,
) => (...parameters: Parameters) => MaybePromise<Result>

/**
 * Wraps every method that a store has. Members that are not in `PetStore` are omitted.
 *
 * @param stores - The store whose methods read, and the store whose methods write. They may be the same.
 */
export function wrapStore<Store extends PetStore>(
  stores: Readonly<Record<StoreEffect, Store>>,
  wrap: WrapMethod,
): Store extends Required<PetStore> ? Required<PetStore> : PetStore {
  const methods = Object.entries(storeMethods).flatMap(([name, effect]) => {
    const store = stores[effect]
    // The cast allows any method name as an index.
    const method = store[name as StoreMethod] as ((...parameters: unknown[]) => unknown) | undefined
    return method ? [[name, wrap(effect, method.bind(store))]] : []
  })
  return Object.fromEntries(methods)
}

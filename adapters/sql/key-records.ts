import type { KeyRecord, MaybePromise } from '../../core/index.ts'

/** Selects keys: those of a caller, or those whose SHA-256 begins with these lower-case hexadecimal digits. */
export type KeySelection = { readonly id: string } | { readonly sha256: string }

/** What is known of all keys at one time. */
export interface KeyCount {
  /** The number of keys that were ever issued, with those that have expired or were revoked. */
  readonly issued: number
  /** The number of keys that are valid. */
  readonly inForce: number
  /** When the next caller has no valid key any more, in milliseconds since the epoch; absent if none has an end. */
  readonly nextExpiry?: number
  /** A number that differs for other sets of valid keys, almost certainly; absent where it is not known. */
  readonly fingerprint?: number
}

/** Returns what becomes of the keys of a selection: those to replace or add. If it throws, nothing is stored. */
export type KeyChange = (keys: readonly KeyRecord[]) => readonly KeyRecord[]

/** The records of keys where they are stored. A method throws `StoreUnavailable` while it cannot work. */
export interface KeyRecords {
  /** Returns the selected keys, or all of them, by id and then by time of issue. */
  list(selection?: KeySelection): MaybePromise<readonly KeyRecord[]>
  /**
   * Calls `change` with the selected keys, and stores the keys that it returns: one transaction, so that no other
   * process changes them in between. A returned key replaces the stored one with the same `sha256`, or is added. No key
   * is removed.
   *
   * @returns The keys that `change` returned, as they are stored.
   * @throws {TypeError} A key is invalid, as in `createKeyStore`, or its hash belongs to another caller.
   */
  update(selection: KeySelection, change: KeyChange): Promise<readonly KeyRecord[]>
  /** Returns how many keys there are at `now`, in milliseconds since the epoch. */
  count(now: number): MaybePromise<KeyCount>
}

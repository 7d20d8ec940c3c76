import type { KeyRecord, MaybePromise } from '../../core/index.ts'

/** Selects the keys of a caller, or the keys whose SHA-256 begins with these lower-case hexadecimal digits. */
export type KeySelection = { readonly id: string } | { readonly sha256: string }

/** Numbers about all keys at one time. */
export interface KeyCount {
  /** Number of keys that were ever issued, also if they have expired or were revoked. */
  readonly issued: number
  /** Number of valid keys. */
  readonly inForce: number
  /** The time a caller loses its last valid key, in milliseconds since the epoch; absent if no key expires. */
  readonly nextExpiry?: number
  /** A number that almost certainly differs between sets of valid keys; absent if it is unknown. */
  readonly fingerprint?: number
}

/** Returns the keys to replace or add. If it throws, nothing is stored. */
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

import type { KeyRecord, MaybePromise } from '../../core/index.ts'

/** Selects keys by ID, or by the first digits of their SHA-256 hash in lower-case hexadecimal. */
export type KeySelection = { readonly id: string } | { readonly sha256: string }

/** How many keys are stored and valid at a given time. */
export interface KeyCount {
  /** Number of keys ever issued, including expired and revoked keys. */
  readonly issued: number
  /** Number of valid keys. */
  readonly inForce: number
  /** When a caller's last valid key expires, in milliseconds since the epoch. Absent if no valid key expires. */
  readonly nextExpiry?: number
  /**
   * Fingerprint of the valid keys. Two different sets of keys almost certainly have different fingerprints. Absent if
   * unknown.
   */
  readonly fingerprint?: number
}

/**
 * A function that receives the selected records, and returns the records to add or replace. It throws to reject the
 * change.
 */
export type KeyChange = (keys: readonly KeyRecord[]) => readonly KeyRecord[]

/** The stored key records. Methods throw `StoreUnavailableError` while the storage is unavailable. */
export interface KeyRecords {
  /** Returns the selected records, by default all, ordered by ID and then by creation time. */
  list(selection?: KeySelection): MaybePromise<readonly KeyRecord[]>
  /**
   * Applies a change to the selected records in one transaction, so that no other process can change them in between. A
   * returned record replaces the stored one with the same `sha256`, or is added. Records are never deleted.
   *
   * @returns The records that were replaced or added.
   * @throws {TypeError} If a record is invalid, or its hash is stored under another ID.
   */
  update(selection: KeySelection, change: KeyChange): Promise<readonly KeyRecord[]>
  /** Counts the keys at `now`, in milliseconds since the epoch. */
  count(now: number): MaybePromise<KeyCount>
}

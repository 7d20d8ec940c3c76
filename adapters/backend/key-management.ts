import { type KeyRecord, sha256 } from '../../core/index.ts'
import { importKeys, issueKey, revokeKeys, rotateKeys } from './key-changes.ts'
import type { KeyChange, KeyRecords, KeySelection } from './key-records.ts'
import { makeKey } from './make-key.ts'

/** A key that has just been created. */
export interface IssuedKey {
  /** The key in plain text. It is not stored and cannot be shown again. */
  readonly key: string
  /** The stored record, which contains the key's hash. */
  readonly record: KeyRecord
}

/** Options for issuing or rotating a key. */
export interface IssueOptions {
  /**
   * Called with the new key before it is stored, for example to print it. If it throws or rejects, the key is not
   * stored. Every stored key has therefore been shown.
   */
  readonly show?: (toIssuedKey: IssuedKey) => unknown
}

/** Settings for a new key. */
export type NewKey = Pick<KeyRecord, 'id' | 'plan' | 'limits' | 'label' | 'expiresAt'>

/** Settings for a key rotation. */
export interface Rotation extends Pick<KeyRecord, 'id' | 'expiresAt'> {
  /** How long previous keys remain valid, in milliseconds. By default they are revoked immediately. */
  readonly overlapMs?: number
}

/** Issues, rotates, revokes and imports keys. Each method makes one transaction. */
export interface KeyManagement {
  /**
   * Issues a random key. The key never expires unless `expiresAt` is set, an ISO 8601 time.
   *
   * @throws {Error} If the ID already has a key that is not revoked.
   * @throws {TypeError} If a setting is invalid.
   */
  issue(newKey: NewKey, options?: IssueOptions): Promise<IssuedKey>
  /**
   * Issues a random key and copies plan, limits and label from the ID's latest key. Previous keys are revoked, or
   * expire after `overlapMs`.
   *
   * @throws {Error} If the ID has no key, or only revoked keys.
   */
  rotate(rotation: Rotation, options?: IssueOptions): Promise<IssuedKey>
  /**
   * Revokes all selected keys. Returns the keys that were not revoked before.
   *
   * @throws {Error} If the ID has no key, or if the hash prefix does not match exactly one key.
   */
  revoke(selection: KeySelection): Promise<readonly KeyRecord[]>
  /**
   * Imports all keys, or none if one cannot be imported. A stored key is not changed, unless the import revokes it.
   * Returns how many records were added or revoked.
   *
   * @throws {Error} If a hash is stored under another ID, or if an ID has another plan or other limits in the storage.
   * The message names the record.
   */
  import(keys: readonly KeyRecord[]): Promise<number>
}

/**
 * Creates the key management for stored key records.
 *
 * @param clock - Returns the current time in milliseconds since the epoch.
 */
export function createKeyManagement(
  { update }: Pick<KeyRecords, 'update'>,
  clock: () => number,
): KeyManagement {
  /** Adds a key. With `show`, the key is shown after a check that it can be added, but before it is stored. */
  async function addKey(
    id: string,
    toChange: (hash: string) => KeyChange,
    { show }: IssueOptions = {},
  ): Promise<IssuedKey> {
    const key = makeKey()
    const change = toChange(sha256(key))
    const issued = (keys: readonly KeyRecord[]) => ({ key, record: keys.at(-1) as KeyRecord }) // `change` returns the added key last
    if (show) {
      let plannedKeys: readonly KeyRecord[] = []
      // Check the change without storing the key, so that only a valid key is shown.
      await update({ id }, (keys) => {
        plannedKeys = change(keys)
        return []
      })
      await show(issued(plannedKeys))
    }
    return issued(await update({ id }, change))
  }

  return {
    issue: (newKey, options) =>
      addKey(newKey.id, (sha256) => issueKey({ ...newKey, sha256 }, clock()), options),
    rotate: ({ overlapMs, ...newKey }, options) =>
      addKey(newKey.id, (sha256) => rotateKeys({ ...newKey, sha256 }, overlapMs, clock()), options),
    revoke: (selection) => update(selection, revokeKeys(selection, clock())),
    import: async (keys) => (await update({ sha256: '' }, importKeys(keys))).length, // an empty prefix selects all keys
  }
}

import { type KeyRecord, type KeyStore, sha256 } from '../../../core/index.ts'
import { createKeyIndex, type KeyIndex } from '../../../core/internal.ts'
import type { KeyCount } from '../../backend/index.ts'

/** A key's plan. Limits belong to the plan `enterprise`. */
export type KeyPlan = Pick<KeyRecord, 'plan' | 'limits'>

/** Keys in memory. */
export interface KeyList {
  readonly store: KeyStore
  /**
   * Adds a key.
   *
   * @throws {TypeError} If the key is invalid. The message names the member.
   */
  add(key: unknown): asserts key is KeyRecord
  /** Counts the keys at `now`, in milliseconds since the epoch. */
  count(now: number): KeyCount
}

/** Creates an empty key list. */
export function createKeyList(clock: () => number): KeyList {
  const store: KeyIndex = createKeyIndex(clock)
  const unrevoked: { id: string; number: number; expiry: number }[] = []
  let issued = 0

  function add(key: unknown): asserts key is KeyRecord {
    store.add(key)
    issued++
    if (key.revokedAt !== undefined) return
    const { id, sha256, expiresAt } = key
    const number = Number.parseInt(sha256.slice(0, 6), 16)
    unrevoked.push({ id, number, expiry: expiresAt === undefined ? Infinity : Date.parse(expiresAt) })
  }

  function count(now: number): KeyCount {
    const inForce = unrevoked.filter(({ expiry }) => expiry > now)
    const ends = new Map<string, number>()
    for (const { id, expiry } of inForce) ends.set(id, Math.max(ends.get(id) ?? 0, expiry))
    const nextExpiry = [...ends.values()].reduce((first, end) => Math.min(first, end), Infinity)
    const fingerprint = inForce.reduce((sum, { number }) => sum + number, 0)
    const known = { issued, inForce: inForce.length, fingerprint }
    return nextExpiry === Infinity ? known : { ...known, nextExpiry }
  }

  return { store, add, count }
}

/** Creates a list with a single key. */
export function createSingleKeyList(id: string, key: string, plan: KeyPlan, clock: () => number): KeyList {
  const list: KeyList = createKeyList(clock)
  list.add(createKeyRecord(id, key, plan))
  return list
}

/** Creates a key's record, which contains its hash, not the key itself. */
export function createKeyRecord(id: string, key: string, plan: KeyPlan): KeyRecord {
  return { id, sha256: sha256(key), ...plan }
}

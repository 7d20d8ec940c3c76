import type { KeyRecord, KeyStore } from '../../../core/index.ts'
import { createKeyIndex, type KeyIndex, type MaybePromise } from '../../../core/internal.ts'
import type { KeyCount } from '../../sql/key-records.ts'

/** Figures of the keys for the metrics. */
export interface KeyFigures extends KeyCount {
  /** The time of the last reading, in milliseconds since the epoch. */
  readonly loadedAt: number
  /** True if the last reading of the keys file succeeded; absent without a file. */
  readonly isFileValid?: boolean
}

/** The keys of a server. */
export interface OpenKeys {
  readonly store: KeyStore
  /** A new key, to be shown once. */
  readonly made?: string
  /** Reads the keys again and logs the result. An invalid file changes nothing. Never rejects. */
  readonly reload?: () => Promise<void>
  /** Returns the figures, read again if they were too old and can be read. Never rejects. */
  figures(): MaybePromise<KeyFigures>
  /** Ends its timers and watchers. */
  close?(): void
}

/** Keys in memory, with their figures. */
export interface KeyList {
  readonly store: KeyStore
  /** Adds a key. Throws `TypeError` that names the place of an invalid member. */
  add(key: unknown): void
  figures(): KeyFigures
}

/** Opens the keys of a list, which does not change. Throws `TypeError` that names the first invalid place. */
export function openRecords(keys: readonly KeyRecord[], clock: () => number): KeyList {
  const list = createKeyList(clock)
  for (const key of keys) list.add(key)
  return list
}

/** Creates a list without keys. */
export function createKeyList(clock: () => number): KeyList {
  const store: KeyIndex = createKeyIndex(clock)
  const loadedAt = clock()
  const unrevoked: { id: string; number: number; expiry: number }[] = []
  let issued = 0

  function add(key: unknown): void {
    store.add(key)
    issued++
    if (key.revokedAt !== undefined) return
    const { id, sha256, expiresAt } = key
    const number = Number.parseInt(sha256.slice(0, 6), 16)
    unrevoked.push({ id, number, expiry: expiresAt === undefined ? Infinity : Date.parse(expiresAt) })
  }

  function figures(): KeyFigures {
    const now = clock()
    const inForce = unrevoked.filter(({ expiry }) => expiry > now)
    const ends = new Map<string, number>()
    for (const { id, expiry } of inForce) ends.set(id, Math.max(ends.get(id) ?? 0, expiry))
    const nextExpiry = [...ends.values()].reduce((first, end) => Math.min(first, end), Infinity)
    const fingerprint = inForce.reduce((sum, { number }) => sum + number, 0)
    const known = { issued, inForce: inForce.length, fingerprint, loadedAt }
    return nextExpiry === Infinity ? known : { ...known, nextExpiry }
  }

  return { store, add, figures }
}

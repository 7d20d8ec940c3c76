import type { CreateOnceResult, CreationKey } from './store.ts'

/** The keys of creations that have not expired. Each belongs to an animal that was created, which bounds their number. */
export interface CreationKeys {
  /** Returns the earlier creation of a key. */
  find(key: CreationKey): CreateOnceResult | undefined
  /** Stores the key of a creation. */
  add(key: CreationKey, id: bigint): void
}

interface Creation extends Pick<CreationKey, 'fingerprint' | 'expiresAt'> {
  readonly id: bigint
}

/**
 * Creates an empty table of keys. It has two generations: once all of the older one have expired, it is dropped and the younger
 * one ages. A key is therefore stored for at most twice its time, and no call looks for the keys that have expired.
 */
export function createCreationKeys(): CreationKeys {
  let younger = new Map<string, Creation>()
  let older = younger
  /** When the last key of each generation expires, in milliseconds since the epoch. */
  let youngerEnds = 0
  let olderEnds = 0

  return {
    find({ token, fingerprint, now }) {
      const creation = younger.get(token) ?? older.get(token)
      if (!creation || creation.expiresAt <= now) return undefined
      if (creation.fingerprint !== fingerprint) return { outcome: 'reused' }
      return { outcome: 'replayed', id: creation.id }
    },
    add({ token, fingerprint, now, expiresAt }, id) {
      if (olderEnds <= now) {
        older = younger
        olderEnds = youngerEnds
        younger = new Map()
        youngerEnds = 0
      }
      younger.set(token, { fingerprint, expiresAt, id })
      youngerEnds = Math.max(youngerEnds, expiresAt)
    },
  }
}

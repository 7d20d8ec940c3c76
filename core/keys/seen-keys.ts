/** For how long a key counts as seen after it was last valid, in milliseconds. */
const seenForMs = 3_600_000
/** About 5 MB. */
const keysPerGeneration = 50_000

/** The keys that were valid within the last hour, by their SHA-256: the keys themselves are not stored. */
export interface SeenKeys {
  /** Returns whether the key was valid in the hour before `now`, in ms since the epoch. */
  has(digest: string, now: number): boolean
  /** Records that the key is valid at `now`. */
  add(digest: string, now: number): void
  /** Removes a key that is not valid any more. */
  delete(digest: string): void
}

/**
 * Creates an empty record of keys. It has two generations: when the younger one is full or an hour old, the older one is
 * dropped. The record therefore holds at least the 50,000 keys that were valid last, and at most twice as many.
 */
export function createSeenKeys(): SeenKeys {
  let younger = new Map<string, number>()
  let older = younger
  let bornAt = 0

  return {
    has(digest, now) {
      const seenAt = younger.get(digest) ?? older.get(digest)
      return seenAt !== undefined && now - seenAt <= seenForMs
    },
    add(digest, now) {
      if (younger.size >= keysPerGeneration || Math.abs(now - bornAt) > seenForMs) {
        older = younger
        younger = new Map()
        bornAt = now
      }
      younger.set(digest, now)
    },
    delete(digest) {
      younger.delete(digest)
      older.delete(digest)
    },
  }
}

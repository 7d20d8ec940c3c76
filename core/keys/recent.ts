/** Names that were recorded a short while ago. */
export interface Recent {
  /** Returns whether the name was added within the time before `now`, in ms since the epoch. */
  has(name: string, now: number): boolean
  /** Records the name at `now`. */
  add(name: string, now: number): void
  /** Removes a name. */
  delete(name: string): void
}

/**
 * Creates an empty record of names, each for `forMs` milliseconds, without timers. It has two generations: when the younger
 * one is full or as old as that, the older one is dropped. The record therefore holds at least the `perGeneration` names
 * that were added last, and at most twice as many.
 */
export function createRecent(forMs: number, perGeneration: number): Recent {
  let younger = new Map<string, number>()
  let older = younger
  let bornAt = 0

  return {
    has(name, now) {
      const addedAt = younger.get(name) ?? older.get(name) ?? Number.NaN
      return Math.abs(now - addedAt) < forMs // a clock may step back
    },
    add(name, now) {
      if (younger.size >= perGeneration || Math.abs(now - bornAt) >= forMs) {
        older = younger
        younger = new Map()
        bornAt = now
      }
      younger.set(name, now)
    },
    delete(name) {
      younger.delete(name)
      older.delete(name)
    },
  }
}

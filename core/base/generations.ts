/** Values by name, without timers: those that were added last, and for how long they are stored at least. */
export interface Generations<T> {
  get(name: string): T | undefined
  /** Stores a value at `now` at least until `endsAt`, unless the generation after its own is full before; both in ms since the epoch. */
  add(name: string, value: T, now: number, endsAt: number): void
  /** Removes a name. */
  delete(name: string): void
}

/**
 * Creates an empty record. It has two generations: once all values of the older one have ended, or the younger one is full,
 * the older one is dropped and the younger one ages. So no call searches for what has ended.
 */
export function createGenerations<T>(perGeneration: number = Number.POSITIVE_INFINITY): Generations<T> {
  let younger = new Map<string, T>()
  let older = younger
  /** When the last value of each generation ends. */
  let youngerEnds = 0
  let olderEnds = 0

  return {
    get: (name) => younger.get(name) ?? older.get(name),
    add(name, value, now, endsAt) {
      if (olderEnds <= now || younger.size >= perGeneration) {
        older = younger
        olderEnds = youngerEnds
        younger = new Map()
        youngerEnds = 0
      }
      younger.set(name, value)
      youngerEnds = Math.max(youngerEnds, endsAt)
    },
    delete(name) {
      younger.delete(name)
      older.delete(name)
    },
  }
}

/** Names that were recorded a short while ago. */
export interface Recent {
  /** Returns whether the name was added within the time before `now`, in ms since the epoch. */
  has(name: string, now: number): boolean
  /** Records the name at `now`. */
  add(name: string, now: number): void
  /** Removes a name. */
  delete(name: string): void
}

/** Creates an empty record of names, each for `forMs` milliseconds: at least the `perGeneration` last ones, at most twice as many. */
export function createRecent(forMs: number, perGeneration: number): Recent {
  const addedAt = createGenerations<number>(perGeneration)
  return {
    has: (name, now) => Math.abs(now - (addedAt.get(name) ?? Number.NaN)) < forMs, // a clock may step back
    add: (name, now) => addedAt.add(name, now, now, now + forMs),
    delete: addedAt.delete,
  }
}

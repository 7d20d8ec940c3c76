import type { Decision } from './bucket.ts'
import { createSweep } from './sweep.ts'

/** How often one token from a limited address is looked up, in milliseconds. */
const lookupEveryMs = 1_000
/** About 2 MB. Further limited addresses share one lookup a second. */
const maxAddresses = 10_000

/** An address whose last charge was rejected. Times are in ms since the epoch. */
interface Entry {
  /** When the address may be admitted again. */
  until: number
  /** When a token from it was last looked up, since it has been limited. */
  lookedUpAt: number
}

/** The addresses that are rate-limited or banned, by their last charge. */
export interface LimitedAddresses {
  /** The number of limited addresses: with 0, no address needs to be checked. */
  readonly size: number
  /**
   * Returns whether a token from an address may be looked up at `now`, in ms since the epoch: always if the address is
   * not limited, and once a second if it is. Returning true uses the lookup of that second.
   */
  allowsLookup(address: string, now: number): boolean
  /** Records the decision of the limiter about a charge of the address at `now`. */
  record(address: string, decision: Pick<Decision, 'allowed' | 'waitMs'>, now: number): void
}

/**
 * Creates an empty record of addresses, without timers. While it is full, an address that is not in it counts as limited
 * and shares one lookup a second with the others: a flood of addresses frees no guesses.
 */
export function createLimitedAddresses(): LimitedAddresses {
  const entries = new Map<string, Entry>()
  const shared = { lookedUpAt: Number.NEGATIVE_INFINITY }
  const sweep = createSweep(() => entries.entries(), dropIfOver)

  function dropIfOver([address, entry]: [string, Entry], now: number): void {
    if (isOver(entry, now)) entries.delete(address)
  }

  return {
    get size() {
      return entries.size
    },
    allowsLookup(address, now) {
      sweep(now)
      const entry = entries.get(address)
      if (entry && isOver(entry, now)) entries.delete(address)
      else if (entry) return takeLookup(entry, now)
      return entries.size < maxAddresses || takeLookup(shared, now)
    },
    record(address, { allowed, waitMs }, now) {
      if (allowed) {
        entries.delete(address)
        return
      }
      const entry = entries.get(address)
      if (entry) {
        entry.until = now + waitMs
        return
      }
      sweep(now)
      if (entries.size < maxAddresses)
        entries.set(address, { until: now + waitMs, lookedUpAt: Number.NEGATIVE_INFINITY })
    },
  }
}

function isOver({ until }: Entry, now: number): boolean {
  return !(now < until)
}

/** A clock that has stepped back does not delay the next lookup. */
function takeLookup(entry: Pick<Entry, 'lookedUpAt'>, now: number): boolean {
  if (Math.abs(now - entry.lookedUpAt) < lookupEveryMs) return false
  entry.lookedUpAt = now
  return true
}

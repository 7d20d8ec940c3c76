import { ExpiringMap } from '../base/expiring-map.ts'
import type { Decision } from '../limits/bucket.ts'

/** Maximum number of pending lookups per address: all clients behind one proxy may reconnect at the same time. */
const maxPending = 1_000
/** Time between two lookups of a rate-limited address, in milliseconds. */
const pauseMs = 1_000
/**
 * Maximum number of rate-limited addresses that are stored: about 2 MB. Beyond it the oldest are evicted, and their
 * unknown keys are looked up as if the address were not rate-limited.
 */
const maxLimited = 10_000

/** An address whose bucket has no token left. */
interface LimitedAddress {
  /** Time the bucket may have a token again, in ms since the epoch. */
  readonly until: number
  /** Earliest time of the next lookup of an unknown key, in ms since the epoch. */
  readonly nextAt: number
}

/**
 * Decides which unknown keys are looked up now. The lookups of an address are deferred only because of its own requests;
 * there is no bound across addresses.
 */
export class Lookups {
  readonly #pending = new Map<string, number>()
  readonly #limited = new ExpiringMap<LimitedAddress>(maxLimited)

  /** Returns whether to look up an unknown key of an address at `now`. If true, call `end` after the lookup. */
  begin(address: string, now: number): boolean {
    const count = this.#pending.get(address) ?? 0
    const limited = this.#limited.get(address)
    const waitMs = limited && now < limited.until ? limited.nextAt - now : 0
    // A wait of more than one pause means that the clock was set back.
    if (count >= maxPending || (waitMs > 0 && waitMs <= pauseMs)) return false
    if (limited) this.#limited.set(address, { ...limited, nextAt: now + pauseMs }, now, limited.until)
    this.#pending.set(address, count + 1)
    return true
  }

  end(address: string): void {
    const count = this.#pending.get(address) ?? 0
    if (count > 1) this.#pending.set(address, count - 1)
    else this.#pending.delete(address)
  }

  /** Records the decision about an address that was charged at `now`. */
  record(address: string, { remaining, waitMs }: Decision, now: number): void {
    if (remaining > 0) return
    const until = now + Math.max(pauseMs, waitMs)
    const nextAt = this.#limited.get(address)?.nextAt ?? now + pauseMs
    this.#limited.set(address, { until, nextAt }, now, until)
  }
}

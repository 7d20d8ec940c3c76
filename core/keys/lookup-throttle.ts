import { ExpiringMap } from '../base/expiring-map.ts'
import type { Decision } from '../limits/bucket.ts'

/** Maximum concurrent lookups for a client address. All clients behind a proxy may reconnect at the same time. */
const maxPendingPerAddress = 1_000
/** Minimum time between two lookups for an address that has reached its rate limit. */
const minIntervalMs = 1_000
/**
 * Maximum number of rate-limited addresses to remember. They take 2 MB. The oldest addresses are evicted first, and are
 * then no longer throttled.
 */
const maxLimitedAddresses = 10_000

/** An address that has reached its rate limit. */
interface LimitedAddress {
  /** Time when the address may send a request again, in milliseconds since the epoch. */
  readonly until: number
  /** Time when the next lookup is allowed, in milliseconds since the epoch. */
  readonly nextAt: number
}

/**
 * Throttles lookups for unknown keys, so that a client that guesses keys cannot overload the key store. A client
 * address that has reached its rate limit may look up one key per second. One address never delays lookups for another
 * address.
 */
export class LookupThrottle {
  readonly #pending = new Map<string, number>()
  readonly #limited = new ExpiringMap<LimitedAddress>(maxLimitedAddresses)

  /** Begins a lookup, or returns `false` if the address must wait. Call `end` after each lookup. */
  tryBegin(address: string, now: number): boolean {
    const pendingCount = this.#pending.get(address) ?? 0
    const limitedAddress = this.#findLimited(address, now)
    const waitMs = limitedAddress ? limitedAddress.nextAt - now : 0
    // A wait longer than the interval means that the clock was set back.
    if (pendingCount >= maxPendingPerAddress || (waitMs > 0 && waitMs <= minIntervalMs)) return false
    if (limitedAddress)
      this.#limited.set(
        address,
        { ...limitedAddress, nextAt: now + minIntervalMs },
        now,
        limitedAddress.until,
      )
    this.#pending.set(address, pendingCount + 1)
    return true
  }

  end(address: string): void {
    const pendingCount = this.#pending.get(address) ?? 0
    if (pendingCount > 1) this.#pending.set(address, pendingCount - 1)
    else this.#pending.delete(address)
  }

  /**
   * Records the rate limit decision about a request without a valid key. If the address has no requests left, its
   * lookups are throttled until it may send the next request.
   */
  recordDecision(address: string, { remaining, waitMs }: Decision, now: number): void {
    if (remaining > 0) return
    const limitedUntil = now + Math.max(minIntervalMs, waitMs)
    const nextAt = this.#findLimited(address, now)?.nextAt ?? now + minIntervalMs
    this.#limited.set(address, { until: limitedUntil, nextAt }, now, limitedUntil)
  }

  #findLimited(address: string, now: number): LimitedAddress | undefined {
    const limitedAddress = this.#limited.get(address)
    return limitedAddress && now < limitedAddress.until ? limitedAddress : undefined
  }
}

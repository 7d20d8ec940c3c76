import type { Decision, Limit } from '../../core/index.ts'
import { ExpiringMap } from '../../core/internal.ts'

/** How long a decision from `peek` is cached, in milliseconds. */
const peekCacheMs = 1_000
/** Maximum number of cached bans. Decisions from `peek` have the same maximum. A full cache takes 3 to 6 MB. */
const maxCachedDecisions = 10_000

/** A ban that Redis reported. */
interface CachedBan {
  readonly validFrom: number
  readonly decision: Decision
}

/** A decision that Redis returned without charging a request, or will return. */
interface CachedPeek {
  readonly validFrom: number
  readonly limits: readonly Limit[]
  readonly decision: Decision | Promise<Decision>
}

/** Caches bans until they end, and decisions from `peek` for one second. */
export class DecisionCache {
  readonly #clock: () => number
  readonly #bans = new ExpiringMap<CachedBan>(maxCachedDecisions)
  readonly #peeked = new ExpiringMap<CachedPeek>(maxCachedDecisions)

  constructor(clock: () => number) {
    this.#clock = clock
  }

  /**
   * Returns a key's ban with its remaining time, or `undefined` if the key is not banned. A ban applies to all
   * limits and reports the first one.
   */
  findBan(key: string, [limit]: readonly Limit[]): Decision | undefined {
    const ban = this.#bans.get(key)
    const now = this.#clock()
    if (!ban || !isWithin(now, ban.validFrom, ban.decision.waitMs)) return undefined
    const waitMs = ban.decision.waitMs - (now - ban.validFrom)
    return { ...ban.decision, limit: limit?.requests ?? 0, waitMs }
  }

  /**
   * Caches a ban.
   *
   * @param validFrom - When Redis was called, in milliseconds since the epoch.
   */
  storeBan(key: string, decision: Decision, validFrom: number): void {
    this.#bans.set(key, { validFrom, decision }, validFrom, validFrom + decision.waitMs)
  }

  findPeekedDecision(key: string, limits: readonly Limit[]): CachedPeek['decision'] | undefined {
    const known = this.#peeked.get(key)
    const isKnown =
      known && areSameLimits(known.limits, limits) && isWithin(this.#clock(), known.validFrom, peekCacheMs)
    return isKnown ? known.decision : undefined
  }

  /** Caches a pending decision so that concurrent calls share it. A failed call is not cached. */
  storePeekedDecision(key: string, limits: readonly Limit[], decision: Promise<Decision>): void {
    this.#setPeeked(key, limits, decision)
    decision.catch(() => this.#peeked.delete(key))
  }

  /**
   * Updates a cached decision after a later request. A rejected request is ignored unless it caused a ban, because it
   * is not charged.
   */
  updatePeekedDecision(key: string, limits: readonly Limit[], decision: Decision): void {
    if (this.#peeked.get(key) && (decision.allowed || decision.banned))
      this.#setPeeked(key, limits, { ...decision, allowed: true, waitMs: 0 })
  }

  #setPeeked(key: string, limits: readonly Limit[], decision: CachedPeek['decision']): void {
    const validFrom = this.#clock()
    this.#peeked.set(key, { validFrom, limits, decision }, validFrom, validFrom + peekCacheMs)
  }
}

/** Compares limits by value. */
function areSameLimits(some: readonly Limit[], others: readonly Limit[]): boolean {
  const isSame = ({ requests, windowMs }: Limit, i: number) =>
    requests === others[i]?.requests && windowMs === others[i]?.windowMs
  return some === others || (some.length === others.length && some.every(isSame))
}

/** Whether `now` is in the period that begins at `start`. A clock that was set back ends the period. */
function isWithin(now: number, start: number, durationMs: number): boolean {
  return now >= start && now < start + durationMs
}

import type { Decision, Limit } from '../../core/index.ts'
import { ExpiringMap } from '../../core/internal.ts'
import { createAccount, peekAccount } from '../../core/limiter.ts'
import type { EarlierRejections, ScriptResult } from './script-call.ts'

/** How long a rejection is repeated before Redis is called again, so that other processes' decisions are known here. */
const repeatMs = 1000

/** Number of rejections that are stored, at least; 3 to 6 MB. A key beyond it costs Redis one more call. */
const maxRejections = 10_000

interface Rejection {
  /** The decision of Redis about these limits, and when it was called for it. */
  decision: Decision
  limits: readonly Limit[]
  since: number
  calledAt: number
  /** From when on repetitions count towards a ban, how many have, and how many begin one. */
  countsFrom: number
  counted: number
  rejectionsToBan: number
  /** When the last repetition was; undefined for none. */
  repeatedAt: number | undefined
}

/** The rejections that Redis made and this process repeats until their wait is over. All times are in milliseconds. */
export class Rejections {
  readonly #rejections = new ExpiringMap<Rejection>(maxRejections)

  /** Returns the rejection of a key whose wait is not over. A ban holds for all limits, another one only for its own. */
  standing(key: string, limits: readonly Limit[], now: number): Decision | undefined {
    const rejection = this.#rejections.get(key)
    if (!rejection || !isWithin(now, rejection.since, rejection.decision.waitMs)) return undefined
    const { decision, since } = rejection
    const waitMs = decision.waitMs - (now - since)
    if (areSame(rejection.limits, limits)) return { ...decision, waitMs }
    const { limit } = peekAccount(createAccount(limits, now), limits, now)
    return decision.banned ? { ...decision, limit, waitMs } : undefined
  }

  /** Likewise, and counts it as one more rejection. Returns undefined when Redis must be called again. */
  repeat(key: string, limits: readonly Limit[], now: number): Decision | undefined {
    const rejection = this.#rejections.get(key)
    if (!rejection || !isWithin(now, rejection.calledAt, repeatMs)) return undefined
    const counted = rejection.counted + (now < rejection.countsFrom ? 0 : 1)
    const decision = counted < rejection.rejectionsToBan ? this.standing(key, limits, now) : undefined
    if (decision) {
      rejection.counted = counted
      rejection.repeatedAt = now
    }
    return decision
  }

  /** Returns what the next call hands on to Redis, and begins anew. Must come before each call that charges. */
  takeEarlier(key: string, now: number): EarlierRejections | undefined {
    const rejection = this.#rejections.get(key)
    if (!rejection) return undefined
    const { counted, repeatedAt } = rejection
    // Other requests repeat the rejection while Redis is called.
    Object.assign(rejection, { calledAt: now, counted: 0, repeatedAt: undefined, rejectionsToBan: Infinity })
    return repeatedAt === undefined ? undefined : { count: counted, agoMs: Math.max(0, now - repeatedAt) }
  }

  /** Records the result of a call that was made at `since`. */
  record(
    key: string,
    limits: readonly Limit[],
    { decision, rejectionsToBan, uncountedMs }: ScriptResult,
    since: number,
  ): void {
    if (decision.allowed) return void this.#rejections.delete(key)
    const known = this.#rejections.get(key)
    const rejection = { decision, limits, since, rejectionsToBan, countsFrom: since + uncountedMs }
    const next = { calledAt: since, counted: 0, repeatedAt: undefined, ...known, ...rejection }
    this.#rejections.set(key, next, since, since + decision.waitMs)
  }
}

/** Returns whether two lists have the same limits in the same order. */
export function areSame(some: readonly Limit[], others: readonly Limit[]): boolean {
  if (some === others) return true
  return (
    some.length === others.length &&
    some.every(({ requests, windowMs }, i) => {
      const other = others[i]
      return requests === other?.requests && windowMs === other.windowMs
    })
  )
}

/** Whether less than `ms` have passed between `since` and `now`. They have if the clock stepped back behind `since`. */
export function isWithin(now: number, since: number, ms: number): boolean {
  return now >= since && now < since + ms
}

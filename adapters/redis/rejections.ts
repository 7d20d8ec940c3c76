import type { Decision, Limit } from '../../core/index.ts'
import { ExpiringMap } from '../../core/internal.ts'
import { createAccount, peekAccount } from '../../core/limiter.ts'
import type { EarlierRejections, ScriptResult } from './script-call.ts'

/** Maximum time a rejection is repeated without a call of Redis, which knows the decisions of other processes. */
const repeatMs = 1000

/** Number of rejections that are stored, at least; 3 to 6 MB. A key beyond it costs Redis one more call. */
const maxRejections = 10_000

interface Rejection {
  /** The decision of Redis about `limits`, and the time of the call. */
  decision: Decision
  limits: readonly Limit[]
  since: number
  calledAt: number
  /** Time from which repetitions count towards a ban, number of counted ones, and number that causes a ban. */
  countsFrom: number
  counted: number
  rejectionsToBan: number
  /** Time of the last repetition; undefined for none. */
  repeatedAt: number | undefined
}

/** Rejections by Redis that this process repeats until their wait is over. All times are in milliseconds. */
export class Rejections {
  readonly #rejections = new ExpiringMap<Rejection>(maxRejections)

  /** Returns the rejection of a key if its wait is not over. A ban holds for all limits, any other only for its own. */
  find(key: string, limits: readonly Limit[], now: number): Decision | undefined {
    const rejection = this.#rejections.get(key)
    if (!rejection || !isWithin(now, rejection.since, rejection.decision.waitMs)) return undefined
    const { decision, since } = rejection
    const waitMs = decision.waitMs - (now - since)
    if (areSame(rejection.limits, limits)) return { ...decision, waitMs }
    const { limit } = peekAccount(createAccount(limits, now), limits, now)
    return decision.banned ? { ...decision, limit, waitMs } : undefined
  }

  /** Returns and counts the rejection of a key. Returns undefined if Redis must be called. */
  repeat(key: string, limits: readonly Limit[], now: number): Decision | undefined {
    const rejection = this.#rejections.get(key)
    if (!rejection || !isWithin(now, rejection.calledAt, repeatMs)) return undefined
    const counted = rejection.counted + (now < rejection.countsFrom ? 0 : 1)
    const decision = counted < rejection.rejectionsToBan ? this.find(key, limits, now) : undefined
    if (decision) {
      rejection.counted = counted
      rejection.repeatedAt = now
    }
    return decision
  }

  /** Returns the repetitions to report to Redis, and counts from zero. Call it before each call that charges. */
  takeEarlier(key: string, now: number): EarlierRejections | undefined {
    const rejection = this.#rejections.get(key)
    if (!rejection) return undefined
    const { counted, repeatedAt } = rejection
    // Other requests repeat the rejection during the call.
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
  const isSame = ({ requests, windowMs }: Limit, i: number) =>
    requests === others[i]?.requests && windowMs === others[i]?.windowMs
  return some === others || (some.length === others.length && some.every(isSame))
}

/** Returns true if less than `ms` have passed since `since`. Returns false if the clock has stepped back before it. */
export function isWithin(now: number, since: number, ms: number): boolean {
  return now >= since && now < since + ms
}

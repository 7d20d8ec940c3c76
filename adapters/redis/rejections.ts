import type { Decision } from '../../core/index.ts'
import { type EarlierRejections, isAddress, type ScriptResult } from './script-call.ts'

/** How long a rejection is repeated before Redis is called again, so that other processes' decisions are known here. */
const repeatMs = 1000

/** How many callers with a key, and addresses, are remembered: 3 MB each. One that is not costs Redis one more call. */
const maxKeys = 10_000

interface Rejection {
  /** The decision of Redis, and when it was called for it. */
  decision: Decision
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
export interface Rejections {
  /** Returns the rejection of a key whose wait is not over. */
  standing(key: string, now: number): Decision | undefined
  /** Likewise, and counts it as one more rejection. Returns undefined when Redis must be called again. */
  repeat(key: string, now: number): Decision | undefined
  /** Returns what the next call hands on to Redis, and begins anew. Must come before each call that charges. */
  takeEarlier(key: string, now: number): EarlierRejections | undefined
  /** Records the result of a call that was made at `since`. */
  record(key: string, result: ScriptResult, since: number): void
}

/** Creates an empty record of rejections. */
export function createRejections(): Rejections {
  const ofKeys = new Map<string, Rejection>()
  /** Apart, so that anonymous clients cannot push out a caller with a key. */
  const ofAddresses = new Map<string, Rejection>()
  const rejectionsOf = (key: string) => (isAddress(key) ? ofAddresses : ofKeys)

  function standing(key: string, now: number): Decision | undefined {
    const rejection = rejectionsOf(key).get(key)
    if (!rejection || !isWithin(now, rejection.since, rejection.decision.waitMs)) return undefined
    const { decision, since } = rejection
    return { ...decision, waitMs: decision.waitMs - (now - since) }
  }

  function add(key: string, rejection: Rejection): void {
    const rejections = rejectionsOf(key)
    const [oldest] = rejections.size >= maxKeys ? rejections.keys() : []
    if (oldest !== undefined) rejections.delete(oldest)
    rejections.set(key, rejection)
  }

  return {
    standing,
    repeat(key, now) {
      const rejection = rejectionsOf(key).get(key)
      if (!rejection || !isWithin(now, rejection.calledAt, repeatMs)) return undefined
      const counted = rejection.counted + (now < rejection.countsFrom ? 0 : 1)
      if (counted >= rejection.rejectionsToBan) return undefined
      const decision = standing(key, now)
      if (decision) {
        rejection.counted = counted
        rejection.repeatedAt = now
      }
      return decision
    },
    takeEarlier(key, now) {
      const rejection = rejectionsOf(key).get(key)
      if (!rejection) return undefined
      const { counted, repeatedAt } = rejection
      // Other requests repeat the rejection while Redis is called.
      rejection.calledAt = now
      rejection.counted = 0
      rejection.repeatedAt = undefined
      rejection.rejectionsToBan = Infinity
      return repeatedAt === undefined ? undefined : { count: counted, agoMs: Math.max(0, now - repeatedAt) }
    },
    record(key, { decision, rejectionsToBan, uncountedMs }, since) {
      if (decision.allowed) {
        rejectionsOf(key).delete(key)
        return
      }
      const rejection = { decision, since, rejectionsToBan, countsFrom: since + uncountedMs }
      const known = rejectionsOf(key).get(key)
      if (known) Object.assign(known, rejection)
      else add(key, { ...rejection, calledAt: since, counted: 0, repeatedAt: undefined })
    },
  }
}

/** Whether less than `ms` have passed between `since` and `now`. They have if the clock stepped back behind `since`. */
export function isWithin(now: number, since: number, ms: number): boolean {
  return now >= since && now < since + ms
}

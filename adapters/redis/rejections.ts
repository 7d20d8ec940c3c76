import type { Decision } from '../../core/index.ts'
import type { Answer } from './ask.ts'
import { isAddress } from './places.ts'
import { isWithin } from './within.ts'

/** How long a refusal is repeated before Redis is asked again, so that what others decide is known here too. */
const repeatMs = 1000

/** How many callers with a key, and how many addresses, are remembered: 3 MB each. One that is forgotten costs Redis a call more. */
const maxKeys = 10_000

interface Refusal {
  /** What Redis said, and when it was asked for it. */
  decision: Decision
  since: number
  askedAt: number
  /** Refusals since then, made here; the time of the last one; and how many start a ban. */
  repeated: number
  repeatedAt: number
  refusalsToBan: number
}

/** The refusals that Redis has made and this process repeats, while their wait goes on. All times in ms. */
export interface Refusals {
  /** The refusal of a key whose wait has not ended. */
  standing(key: string, now: number): Decision | undefined
  /** The same, counted as one more refusal; undefined when Redis is to be asked again. */
  repeat(key: string, now: number): Decision | undefined
  /** To be called before Redis is asked: what is to be counted there, and how long ago it was. */
  handOn(key: string, now: number): { refusedBefore: number; agoMs: number }
  /** What Redis has answered, when asked at `since`. */
  note(key: string, answer: Answer, since: number): void
}

export function createRefusals(): Refusals {
  const ofKeys = new Map<string, Refusal>()
  /** Apart, so that anonymous clients cannot push out a caller with a key. */
  const ofAddresses = new Map<string, Refusal>()
  const refusalsOf = (key: string) => (isAddress(key) ? ofAddresses : ofKeys)

  function standing(key: string, now: number): Decision | undefined {
    const refusal = refusalsOf(key).get(key)
    if (!refusal || !isWithin(now, refusal.since, refusal.decision.waitMs)) return undefined
    const { decision, since } = refusal
    return { ...decision, waitMs: decision.waitMs - (now - since) }
  }

  function remember(key: string, refusal: Refusal): void {
    const refusals = refusalsOf(key)
    const [oldest] = refusals.size >= maxKeys ? refusals.keys() : []
    if (oldest !== undefined) refusals.delete(oldest)
    refusals.set(key, refusal)
  }

  return {
    standing,
    repeat(key, now) {
      const refusal = refusalsOf(key).get(key)
      if (!refusal || !isWithin(now, refusal.askedAt, repeatMs)) return undefined
      if (refusal.repeated + 1 >= refusal.refusalsToBan) return undefined
      const decision = standing(key, now)
      if (decision) {
        refusal.repeated++
        refusal.repeatedAt = now
      }
      return decision
    },
    handOn(key, now) {
      const refusal = refusalsOf(key).get(key)
      if (!refusal) return { refusedBefore: 0, agoMs: 0 }
      const handedOn = { refusedBefore: refusal.repeated, agoMs: Math.max(0, now - refusal.repeatedAt) }
      // Others repeat the refusal while Redis is asked.
      refusal.askedAt = now
      refusal.repeated = 0
      refusal.refusalsToBan = Infinity
      return handedOn
    },
    note(key, { decision, refusalsToBan }, since) {
      if (decision.allowed) {
        refusalsOf(key).delete(key)
        return
      }
      const known = refusalsOf(key).get(key)
      if (known) Object.assign(known, { decision, since, refusalsToBan })
      else remember(key, { decision, since, askedAt: since, repeated: 0, repeatedAt: since, refusalsToBan })
    },
  }
}

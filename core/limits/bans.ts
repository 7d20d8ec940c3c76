import { isObject } from '../object.ts'

/** When refusals become a ban, and for how long (spec 7, rule 3). All times in milliseconds. */
export interface BanPolicy {
  /** How many refusals; 100 by default, 10,000 at the most. */
  readonly refusals: number
  /** Within how long, sliding; 60 s by default. */
  readonly withinMs: number
  /** How long the first ban lasts; 15 min by default. Each further one lasts twice as long as the one before. */
  readonly firstMs: number
  /** How long a ban lasts at the most; 24 h by default. */
  readonly longestMs: number
  /** How long after a ban has ended the next one still lasts longer; 24 h by default. */
  readonly rememberMs: number
}

/** A record grows with the refusals that it may hold, so there is a bound. */
const mostRefusals = 10_000

/** A hundred refusals within a minute: 15 minutes, doubling up to a day. */
export const defaultBanPolicy: BanPolicy = {
  refusals: 100,
  withinMs: 60_000,
  firstMs: 15 * 60_000,
  longestMs: 24 * 3_600_000,
  rememberMs: 24 * 3_600_000,
}

/**
 * The policy that an option `ban` asks for: the default's in the parts left out, undefined for none.
 * Throws a `TypeError` that names the bad part.
 */
export function readBanPolicy(ban: Partial<BanPolicy> | false = {}): BanPolicy | undefined {
  if (ban === false) return undefined
  if (!isObject(ban)) throw new TypeError('options.ban must be false or an object')
  const policy: Record<keyof BanPolicy, number> = { ...defaultBanPolicy }
  for (const part of Object.keys(policy) as (keyof BanPolicy)[] /* those of the default */) {
    const value = ban[part] ?? defaultBanPolicy[part]
    if (!Number.isSafeInteger(value) || value < 1) {
      throw new TypeError(`options.ban.${part} must be a whole number from 1`)
    }
    policy[part] = value
  }
  if (policy.refusals > mostRefusals)
    throw new TypeError(`options.ban.refusals must be at most ${mostRefusals}`)
  return policy
}

/** What is known of a key that has been refused. Times are in ms since the epoch. */
export interface BanRecord {
  /** When it was refused, oldest first: never more than a ban takes. */
  refusals: number[]
  /** When its last ban ends or ended; 0 before the first. */
  until: number
  /** How many bans in a row. */
  strikes: number
}

export function createBanRecord(): BanRecord {
  return { refusals: [], until: 0, strikes: 0 }
}

/** Whether the key is banned at `now`. */
export function isBanned(record: BanRecord, now: number): boolean {
  return now < record.until
}

/** Counts refusals at `now`, one by default, and starts a ban with the last that it takes. Not to be called during a ban. */
export function countRefusals(record: BanRecord, policy: BanPolicy, now: number, count = 1): void {
  const recent = record.refusals.filter((time) => time > now - policy.withinMs)
  for (let i = 0; i < count && recent.length < policy.refusals; i++) recent.push(now)
  record.refusals = recent
  if (recent.length < policy.refusals) return
  const remembered = now < record.until + policy.rememberMs
  record.strikes = remembered ? record.strikes + 1 : 1
  record.until = now + Math.min(policy.firstMs * 2 ** (record.strikes - 1), policy.longestMs)
  record.refusals = []
}

/** From when on, in ms since the epoch, a record is the same as none. */
export function forgottenAt(record: BanRecord, policy: BanPolicy): number {
  const lastRefusal = record.refusals.at(-1)
  return Math.max(
    record.strikes > 0 ? record.until + policy.rememberMs : 0,
    lastRefusal === undefined ? 0 : lastRefusal + policy.withinMs,
  )
}

/** Moves a record to a clock that has stepped back by `backMs`. */
export function shiftBan(record: BanRecord, backMs: number): void {
  record.until -= backMs
  record.refusals = record.refusals.map((time) => time - backMs)
}

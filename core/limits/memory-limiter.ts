import { type Account, accountEmptyAt, createAccount, decide, moveWithClock } from './account.ts'
import { createAccountTable } from './account-table.ts'
import { type BanPolicy, readBanPolicy } from './bans.ts'
import { checkLimits, type Decision, type Limit, type RateLimiter } from './bucket.ts'

/** How `createMemoryLimiter` is set up; everything has a default. */
export interface MemoryLimiterOptions {
  /** Milliseconds since the epoch; `Date.now` by default. */
  readonly clock?: () => number
  /**
   * How many addresses are kept at the most; 100,000 by default. With the plan's two limits and the default `ban` they take
   * at most 20 MB, however often each is rejected with 429. While so many count, all further addresses share one bucket.
   * Callers with a key do not fall under it: strangers cannot invent them.
   */
  readonly maxAddresses?: number
  /**
   * When rejections become a ban: the parts left out are the default's. `false` for no bans. The time of a rejection is
   * stored in steps of a sixtieth of `withinMs`, rounded down: by default, a rejection counts for 59 to 60 s.
   */
  readonly ban?: Partial<BanPolicy> | false
}

/** A limiter that decides at once, and tells how much it keeps. */
export interface MemoryLimiter extends RateLimiter {
  consume(key: string, limits: readonly Limit[], cost?: 0 | 1): Decision
  /** How many keys are kept now. */
  readonly size: number
}

/** How many old entries are looked at for each new one: more than one, so that the table shrinks after a flood. */
const sweepSteps = 2

/**
 * A limiter for one process, without timers: an entry that has become the same as none is dropped when others come.
 * Throws a `TypeError` for an unusable option; `consume` throws a `RangeError` for limits that cannot be counted exactly.
 */
export function createMemoryLimiter(options: MemoryLimiterOptions = {}): MemoryLimiter {
  const { clock = Date.now, maxAddresses = 100_000 } = options
  if (typeof clock !== 'function') {
    throw new TypeError('options.clock must be a function that tells the milliseconds since the epoch')
  }
  if (!Number.isSafeInteger(maxAddresses) || maxAddresses < 0) {
    throw new TypeError('options.maxAddresses must be a whole number from 0')
  }
  const policy = readBanPolicy(options.ban)
  const table = createAccountTable(policy)
  let addresses = 0
  let overflow: Account | undefined
  let hand = table.entries()

  function sweep(now: number): void {
    for (let step = 0; step < sweepSteps; step++) {
      const next = hand.next()
      if (next.done) {
        hand = table.entries()
        return
      }
      const [key, place] = next.value
      const account = table.read(place)
      const back = moveWithClock(account, now)
      const emptyAt = table.emptyAt(place) - back
      if (back > 0) table.write(place, account, emptyAt)
      if (now < emptyAt) continue
      table.delete(place, key)
      if (isAddress(key)) addresses--
    }
  }

  return {
    consume(key, limits, cost = 1) {
      checkLimits(limits)
      const now = clock()
      let place = table.find(key)
      const account = place < 0 ? createAccount(limits, now) : table.read(place)
      if (place < 0) {
        if (cost === 0 && addresses < maxAddresses) return decide(account, limits, policy, now, 0)
        sweep(now)
        if (isAddress(key)) {
          if (addresses >= maxAddresses) {
            overflow ??= account
            return decide(overflow, limits, undefined, now, cost)
          }
          addresses++
        }
        place = table.add(key)
      }
      const decision = decide(account, limits, policy, now, cost)
      table.write(place, account, accountEmptyAt(account, limits, policy))
      return decision
    },
    get size() {
      return table.size
    },
  }
}

function isAddress(key: string): boolean {
  return key.startsWith('address:')
}

import { anyValue, checkOptions, isWhole, readClock } from '../base/options.ts'
import { type Account, followClock } from './account.ts'
import { networkOf } from './address.ts'
import { type BanPolicy, readBanPolicy } from './bans.ts'
import { checkLimits, type Decision, type Limit, type RateLimiter } from './bucket.ts'
import { accountEmptyAt, createAccount, decide, peekAccount } from './decide.ts'

/** The options of `createMemoryLimiter`. All are optional. */
export interface MemoryLimiterOptions {
  /** Returns the milliseconds since the epoch; `Date.now` by default. */
  readonly clock?: () => number
  /**
   * The highest number of client addresses that are stored, a whole number from 0; 100,000 by default. With the two
   * limits of a plan and the default `ban`, 100,000 addresses use at most 32 MiB, however often each is rejected with
   * 429. While the table is full, all further addresses share one bucket. Once a quarter of it is used, further /64 of
   * one IPv6 /48 share one. Callers with a key are not counted: anonymous clients cannot invent them.
   */
  readonly maxAddresses?: number
  /**
   * When rejections with 429 become a ban. Members left out have their default; `false` for no bans.
   */
  readonly ban?: Partial<BanPolicy> | false
}

/** The key of the bucket that further addresses share while the table is full. It is never banned. */
const overflow = 'overflow'
/** How many entries each call visits: more than one, so that the table shrinks after a flood. */
const stepsOfSweep = 2

/** Whether a key is that of an anonymous client. */
function isAddressKey(key: string): boolean {
  return key.startsWith('address:')
}

/** A limiter that decides without a promise, and shows how much it stores. */
export interface MemoryLimiter extends RateLimiter {
  /** As `RateLimiter` says. */
  consume(key: string, limits: readonly Limit[]): Decision
  /** As `RateLimiter` says. */
  peek(key: string, limits: readonly Limit[]): Decision
  /** The number of keys that are stored now; the shared bucket of further addresses counts as one. */
  readonly size: number
}

/**
 * Creates a limiter for one process. It starts no timer: an entry that is the same as a new one is dropped when other
 * keys arrive.
 *
 * @param options See `MemoryLimiterOptions`.
 * @throws {TypeError} An option is invalid or unknown; the message names it.
 * @example
 * import { createMemoryLimiter } from 'pet-adoption-service'
 *
 * const limiter = createMemoryLimiter({ maxAddresses: 10_000, ban: { firstMs: 60_000 } })
 * limiter.consume('key:shelter-7', [{ requests: 300, windowMs: 60_000 }]).remaining // 299
 */
export function createMemoryLimiter(options: MemoryLimiterOptions = {}): MemoryLimiter {
  checkOptions(options, {
    clock: anyValue,
    maxAddresses: [(value) => isWhole(value, 0), 'a whole number from 0'],
    ban: anyValue,
  })
  const clock = readClock(options.clock)
  const { maxAddresses = 100_000 } = options
  const policy = readBanPolicy(options.ban)
  const accounts = new Map<string, Account>()
  let addresses = 0
  let round = accounts.entries()

  /** Visits a few accounts, round after round, in place of a timer, and drops those that are the same as new ones. */
  function sweep(now: number): void {
    for (let step = 0; step < stepsOfSweep; step++) {
      const { value } = round.next()
      if (!value) {
        round = accounts.entries()
        continue
      }
      const [key, account] = value
      followClock(account, now)
      if (now < accountEmptyAt(account)) continue
      accounts.delete(key)
      if (isAddressKey(key)) addresses--
    }
  }

  /** Returns the key of the account that a key has when it has none of its own. */
  function sharedKey(key: string): string {
    if (!isAddressKey(key)) return key
    const own = addresses < maxAddresses / 4 ? key : networkOf(key)
    return addresses < maxAddresses || accounts.has(own) ? own : overflow
  }

  function add(key: string, limits: readonly Limit[], now: number): Account {
    if (isAddressKey(key)) addresses++
    const account = createAccount(limits, now)
    accounts.set(key, account)
    return account
  }

  return {
    consume(key, limits) {
      checkLimits(limits)
      const now = clock()
      let stored = key
      let account = accounts.get(key)
      if (!account) {
        sweep(now)
        stored = sharedKey(key)
        account = accounts.get(stored) ?? add(stored, limits, now)
      }
      return decide(account, limits, stored === overflow ? undefined : policy, now)
    },
    peek(key, limits) {
      checkLimits(limits)
      const now = clock()
      sweep(now)
      const account = accounts.get(key) ?? accounts.get(sharedKey(key)) ?? createAccount(limits, now)
      return peekAccount(account, limits, now)
    },
    get size() {
      return accounts.size
    },
  }
}

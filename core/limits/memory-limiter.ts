import { ExpiringMap } from '../base/expiring-map.ts'
import { anyValue, checkOptions, isWholeNumber, readClock } from '../base/options.ts'
import type { Account } from './account.ts'
import { toNetworkKey } from './address.ts'
import { type BanPolicy, readBanPolicy } from './bans.ts'
import { checkLimits, type Decision, type Limit, type RateLimiter } from './bucket.ts'
import { accountEmptyAt, createAccount, decide, peekAccount } from './decide.ts'

/** The options of `createMemoryLimiter`. All are optional. */
export interface MemoryLimiterOptions {
  /** Returns the milliseconds since the epoch; `Date.now` by default. */
  readonly clock?: () => number
  /**
   * Maximum number of stored client addresses, a whole number from 0; 100,000 by default. With the two limits of a plan
   * and the default `ban`, 100,000 addresses use at most 32 MiB, however often each is rejected. If the table is full,
   * all further addresses share one bucket. If 25 % of it is used, further /64 of one IPv6 /48 share one. Callers are
   * not counted: anonymous clients cannot invent them.
   */
  readonly maxAddresses?: number
  /** The policy of bans. Omitted members have their default; `false` for no bans. */
  readonly ban?: Partial<BanPolicy> | false
}

/** The key of the bucket that further addresses share while the table is full. It is never banned. */
const overflow = 'overflow'

/** Returns true if a key belongs to an anonymous client. */
function isAddressKey(key: string): boolean {
  return key.startsWith('address:')
}

/** A limiter that decides without a promise. */
export interface MemoryLimiter extends RateLimiter {
  /** Decides a request as `RateLimiter` describes, without a promise. */
  consume(key: string, limits: readonly Limit[]): Decision
  /** Returns the numbers as `RateLimiter` describes, without a promise. */
  peek(key: string, limits: readonly Limit[]): Decision
  /** Number of stored keys. The shared bucket of further addresses counts as one. */
  readonly size: number
}

/**
 * Creates a limiter for one process. It starts no timer: expired accounts are dropped when requests arrive.
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
    maxAddresses: [(value) => isWholeNumber(value, 0), 'a whole number from 0'],
    ban: anyValue,
  })
  const clock = readClock(options.clock)
  const { maxAddresses = 100_000 } = options
  const policy = readBanPolicy(options.ban)
  /** Both are unbounded: an account counts until it expires. */
  const callers = new ExpiringMap<Account>()
  const addresses = new ExpiringMap<Account>()

  function accountsFor(key: string, now: number): ExpiringMap<Account> {
    callers.expire(now)
    addresses.expire(now)
    return isAddressKey(key) ? addresses : callers
  }

  /** Returns the name that an address is counted as: the address, its /48, or the name of all further ones. */
  function chooseName(address: string): string {
    if (addresses.get(address)) return address
    const own = addresses.size < maxAddresses / 4 ? address : toNetworkKey(address)
    return addresses.size < maxAddresses || addresses.get(own) ? own : overflow
  }

  return {
    consume(key, limits) {
      checkLimits(limits)
      const now = clock()
      const accounts = accountsFor(key, now)
      const name = accounts === addresses ? chooseName(key) : key
      const stored = accounts.get(name)
      const account = stored ?? createAccount(limits, now)
      const before = accountEmptyAt(account)
      const decision = decide(account, limits, name === overflow ? undefined : policy, now)
      const expiresAt = accountEmptyAt(account)
      if (!stored || expiresAt > before) accounts.set(name, account, now, expiresAt)
      return decision
    },
    peek(key, limits) {
      checkLimits(limits)
      const now = clock()
      const accounts = accountsFor(key, now)
      const name = accounts === addresses ? chooseName(key) : key
      return peekAccount(accounts.get(name) ?? createAccount(limits, now), limits, now)
    },
    get size() {
      return callers.size + addresses.size
    },
  }
}

import { ExpiringMap } from '../base/expiring-map.ts'
import { anyValueRule, checkOptions, createClock, isWholeNumber } from '../base/options.ts'
import type { Account } from './account.ts'
import { toNetworkKey } from './address.ts'
import { type BanPolicy, readBanPolicy } from './bans.ts'
import { checkLimits, type Decision, type Limit, type RateLimiter } from './bucket.ts'
import { accountEmptyAt, createAccount, decide, peekAccount } from './decide.ts'

/** Options for `createMemoryLimiter`. */
export interface MemoryLimiterOptions {
  /** Returns the time in milliseconds since the epoch. `Date.now` by default. */
  readonly clock?: () => number
  /**
   * Maximum number of client addresses with their own bucket, an integer from 0. 75,000 by default. With the two limits
   * of a plan and the default bans they take at most 28 MiB, however often each address is rejected.
   *
   * When 25 % of these buckets are used, further /64 networks in one IPv6 /48 share a bucket. When all are used, all
   * further addresses share one bucket, which is never banned. Callers are not counted, because anonymous clients
   * cannot invent them.
   */
  readonly maxAddresses?: number
  /** When to ban an account. Omitted members have their default, and `false` turns bans off. */
  readonly ban?: Partial<BanPolicy> | false
}

/** Key for the bucket that addresses above the maximum share. */
const overflowKey = 'overflow'

function isAddressKey(key: string): boolean {
  return key.startsWith('address:')
}

/** A rate limiter that keeps its accounts in memory. It returns decisions without promises. */
export interface MemoryLimiter extends RateLimiter {
  /** Charges a request to an account if every limit allows it, and returns the decision. */
  consume(key: string, limits: readonly Limit[]): Decision
  /** Returns an account's state without charging a request. */
  peek(key: string, limits: readonly Limit[]): Decision
  /** Number of accounts in memory. The bucket that further addresses share counts as one. */
  readonly size: number
}

/**
 * Creates a rate limiter for a single process. Its accounts are lost when the process stops. Without a timer, it drops
 * expired accounts when requests arrive.
 *
 * @param options - See {@link MemoryLimiterOptions}.
 * @throws {TypeError} If an option is unknown or invalid. The message names the option.
 *
 * @example
 * import { createMemoryLimiter } from 'pet-adoption-service'
 *
 * const limiter = createMemoryLimiter({ maxAddresses: 10_000, ban: { firstBanMs: 60_000 } })
 * limiter.consume('key:shelter-7', [{ requests: 300, windowMs: 60_000 }]).remaining // 299
 */
export function createMemoryLimiter(options: MemoryLimiterOptions = {}): MemoryLimiter {
  checkOptions(options, {
    clock: anyValueRule,
    maxAddresses: [(value) => isWholeNumber(value, 0), 'a non-negative integer'],
    ban: anyValueRule,
  })
  const clock = createClock(options.clock)
  const { maxAddresses = 75_000 } = options
  const banPolicy = readBanPolicy(options.ban)
  /** The maps are unbounded and separate, so that addresses cannot evict callers. */
  const callers = new ExpiringMap<Account>()
  const addresses = new ExpiringMap<Account>()

  function selectAccounts(key: string, now: number): ExpiringMap<Account> {
    callers.expire(now)
    addresses.expire(now)
    return isAddressKey(key) ? addresses : callers
  }

  /** Returns the key that an address is counted under: its own, its /48 network's, or the overflow key. */
  function chooseAccountKey(address: string): string {
    if (addresses.get(address)) return address
    const networkKey = addresses.size < maxAddresses / 4 ? address : toNetworkKey(address)
    return addresses.size < maxAddresses || addresses.get(networkKey) ? networkKey : overflowKey
  }

  return {
    consume(key, limits) {
      checkLimits(limits)
      const nowMs = clock()
      const accounts = selectAccounts(key, nowMs)
      const name = accounts === addresses ? chooseAccountKey(key) : key
      const storedAccount = accounts.get(name)
      const account = storedAccount ?? createAccount(limits, nowMs)
      const previousExpiry = accountEmptyAt(account)
      const decision = decide(account, limits, name === overflowKey ? undefined : banPolicy, nowMs)
      const expiresAt = accountEmptyAt(account)
      if (!storedAccount || expiresAt > previousExpiry) accounts.set(name, account, nowMs, expiresAt)
      return decision
    },
    peek(key, limits) {
      checkLimits(limits)
      const nowMs = clock()
      const accounts = selectAccounts(key, nowMs)
      const name = accounts === addresses ? chooseAccountKey(key) : key
      return peekAccount(accounts.get(name) ?? createAccount(limits, nowMs), limits, nowMs)
    },
    get size() {
      return callers.size + addresses.size
    },
  }
}

import { isIsoTime } from '../base/iso-time.ts'
import { isObject } from '../base/json.ts'
import { anyValueRule, checkOptions, createClock } from '../base/options.ts'
import { sha256 as hashToken } from '../base/sha256.ts'
import { isPlan, limitsRule, type Plan, type PlanLimits, plans } from '../limits/plans.ts'
import type { Caller, KeyStore } from './auth.ts'

/** An API key, stored as a hash. */
export interface KeyRecord {
  /** The caller's ID. Keys with the same ID share their rate limits, and must have the same plan and limits. */
  readonly id: string
  /** SHA-256 hash of the key, as 64 lower-case hexadecimal digits. No two keys may have the same hash. */
  readonly sha256: string
  /** The caller's plan. */
  readonly plan: Plan
  /** The caller's rate limits. Required with the plan `enterprise`, and not allowed with another plan. */
  readonly limits?: PlanLimits
  /**
   * ISO 8601 time when the key expires, such as `2027-01-31T00:00:00Z`. A date without a time means midnight UTC. By
   * default, a key does not expire.
   */
  readonly expiresAt?: string
  /** A note for the operator. The service ignores it. */
  readonly label?: string
  /** ISO 8601 time when the key was created. The service ignores it. */
  readonly createdAt?: string
  /** ISO 8601 time when the key was revoked. A key with this member is never valid. */
  readonly revokedAt?: string
}

/**
 * Creates a key store that holds its keys in memory, and finds them by their SHA-256 hash.
 *
 * @param keys - The keys, for example parsed from a file. Every member is checked.
 * @param options.clock - Returns the time in milliseconds since the epoch. `Date.now` by default.
 * @throws {TypeError} If an option is unknown, a key is invalid, a hash is repeated, or keys with the same ID differ in
 * plan or limits. The message names the member, such as `keys[2].plan`.
 *
 * @example
 * import { createKeyStore, sha256 } from 'pet-adoption-service'
 *
 * const keys = createKeyStore([
 *   { id: 'shelter', sha256: sha256('my-first-long-api-key'), plan: 'pro' },
 *   { id: 'vet', sha256: sha256('my-second-long-api-key'), plan: 'free', expiresAt: '2027-01-31T00:00:00Z' },
 * ])
 */
export function createKeyStore(keys: readonly KeyRecord[], options: { clock?: () => number } = {}): KeyStore {
  checkOptions(options, { clock: anyValueRule })
  const index: KeyIndex = createKeyIndex(createClock(options.clock))
  if (!Array.isArray(keys)) throw new TypeError('keys must be an array')
  for (const key of keys) index.add(key)
  return { find: index.find }
}

/** A key store to which keys are added one by one, so that loading many keys does not block the event loop. */
export interface KeyIndex extends KeyStore {
  /**
   * Validates a key and adds it.
   *
   * @throws {TypeError} If the key is invalid, its hash is repeated, or an earlier key with its ID has a different plan
   * or limits.
   */
  add(key: unknown): asserts key is KeyRecord
}

/** Creates an empty key index. */
export function createKeyIndex(clock: () => number): KeyIndex {
  /** The caller is `undefined` for a revoked key. */
  const keysByHash = new Map<string, { caller: Caller | undefined; expiresAt: number }>()
  const callersById = new Map<string, Caller>()

  function add(value: unknown): asserts value is KeyRecord {
    const keyPlace = `keys[${keysByHash.size}]`
    checkKey(value, keyPlace)
    const { id, sha256, plan, limits, expiresAt, revokedAt } = value
    if (keysByHash.has(sha256)) throw new TypeError(`${keyPlace}.sha256 is already used by an earlier key`)
    let caller: Caller | undefined
    if (!revokedAt) {
      const newCaller = limits
        ? { id, plan, limits: { minute: limits.minute, day: limits.day } }
        : { id, plan }
      caller = callersById.get(id) ?? newCaller // keys with the same ID share one object
      if (JSON.stringify(caller) !== JSON.stringify(newCaller))
        throw new TypeError(
          `${keyPlace}.id is already used by an earlier key with a different plan or limits`,
        )
      callersById.set(id, caller)
    }
    keysByHash.set(sha256, { caller, expiresAt: expiresAt === undefined ? Infinity : Date.parse(expiresAt) })
  }

  return {
    add,
    find(token, hash = hashToken(token)) {
      const key = keysByHash.get(hash)
      return key && clock() >= key.expiresAt ? undefined : key?.caller
    },
  }
}

const [areLimits, limitsText] = limitsRule
const timeRule = [
  (value: unknown) => value === undefined || isIsoTime(value),
  'an ISO 8601 time such as 2027-01-31T00:00:00Z',
] as const

/** A check for each member, and the words that follow "must be" in its error message. */
export const keyRules: Readonly<
  Record<string, readonly [(value: unknown, key: KeyRecord) => boolean, string]>
> = {
  id: [(id) => typeof id === 'string' && id !== '', 'a non-empty string'],
  sha256: [
    (hash) => typeof hash === 'string' && /^[0-9a-f]{64}$/.test(hash),
    '64 lower-case hexadecimal digits',
  ],
  plan: [isPlan, `one of ${[...Object.keys(plans), 'enterprise'].join(', ')}`],
  limits: [
    (limits, { plan }) => (plan === 'enterprise' ? areLimits(limits) : limits === undefined),
    `${limitsText}, and is only allowed with the plan enterprise`,
  ],
  label: [(label) => label === undefined || typeof label === 'string', 'a string'],
  createdAt: timeRule,
  expiresAt: timeRule,
  revokedAt: timeRule,
}

function checkKey(key: unknown, place: string): asserts key is KeyRecord {
  if (!isObject(key)) throw new TypeError(`${place} must be an object`)
  const unknownMember = Object.keys(key).find((member) => !Object.hasOwn(keyRules, member))
  if (unknownMember !== undefined) {
    const expectedPhrase =
      unknownMember === 'key'
        ? `store its hash in "sha256"`
        : `expected one of ${Object.keys(keyRules).join(', ')}`
    throw new TypeError(`unknown member "${place}.${unknownMember}"; ${expectedPhrase}`)
  }
  for (const [member, [isValid, what]] of Object.entries(keyRules)) {
    // The cast is safe: rules read only `plan`, which is validated first.
    if (!isValid(key[member], key as unknown as KeyRecord))
      throw new TypeError(`${place}.${member} must be ${what}`)
  }
}

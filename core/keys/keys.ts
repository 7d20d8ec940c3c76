import { isIsoTime } from '../base/iso-time.ts'
import { isObject } from '../base/json.ts'
import { anyValue, checkOptions, readClock } from '../base/options.ts'
import { sha256 as hashOf } from '../base/sha256.ts'
import { isPlan, limitsRule, type Plan, type PlanLimits, plans } from '../limits/plans.ts'
import type { Caller, KeyStore } from './auth.ts'

/** An API key as it is stored. */
export interface KeyRecord {
  /** Names the caller. Keys with the same id share its limits, so they must have the same plan and limits. */
  readonly id: string
  /** The SHA-256 of the key as 64 lower-case hexadecimal digits; unique. The key itself is stored nowhere. */
  readonly sha256: string
  /** The plan of the caller. */
  readonly plan: Plan
  /** Required with the plan `enterprise`, and only allowed with it. */
  readonly limits?: PlanLimits
  /** The ISO time the key expires; never if it is absent. */
  readonly expiresAt?: string
  /** A note for people. */
  readonly label?: string
  /** ISO time of issue. */
  readonly createdAt?: string
  /** ISO time of revocation. A key that has it is invalid at any time. */
  readonly revokedAt?: string
}

/**
 * Creates a key store of a fixed list. It finds keys by their SHA-256.
 *
 * @param keys The keys. They may come from a file: every member is checked.
 * @param options `clock` returns the milliseconds since the epoch; `Date.now` by default.
 * @throws {TypeError} A key is invalid, or an option is unknown. The message names its place, such as `keys[2].plan`.
 * @example
 * import { createKeyStore, sha256 } from 'pet-adoption-service'
 *
 * const keys = createKeyStore([
 *   { id: 'shelter', sha256: sha256('my-first-long-api-key'), plan: 'pro' },
 *   { id: 'vet', sha256: sha256('my-second-long-api-key'), plan: 'free', expiresAt: '2027-01-31T00:00:00Z' },
 * ])
 */
export function createKeyStore(keys: readonly KeyRecord[], options: { clock?: () => number } = {}): KeyStore {
  checkOptions(options, { clock: anyValue })
  const index: KeyIndex = createKeyIndex(readClock(options.clock))
  if (!Array.isArray(keys)) throw new TypeError('keys must be an array')
  for (const key of keys) index.add(key)
  return { find: index.find }
}

/** A key store with a method that adds one key, so that a long list can be added in several turns. */
export interface KeyIndex extends KeyStore {
  /**
   * Adds a key, whose members it checks.
   *
   * @throws {TypeError} The key is invalid. The message names its place, such as `keys[2].plan`.
   */
  add(key: unknown): asserts key is KeyRecord
}

/** Creates a key store without keys. */
export function createKeyIndex(clock: () => number): KeyIndex {
  /** The keys by their SHA-256. A revoked key has no caller. */
  const byHash = new Map<string, { caller: Caller | undefined; expiresAt: number }>()
  const callersById = new Map<string, Caller>()

  function add(value: unknown): asserts value is KeyRecord {
    const place = `keys[${byHash.size}]`
    checkKey(value, place)
    const { id, sha256, plan, limits, expiresAt, revokedAt } = value
    if (byHash.has(sha256)) throw new TypeError(`${place}.sha256 repeats an earlier key`)
    let caller: Caller | undefined
    if (!revokedAt) {
      const described = limits
        ? { id, plan, limits: { minute: limits.minute, day: limits.day } }
        : { id, plan }
      caller = callersById.get(id) ?? described // one object for all keys of an id
      if (JSON.stringify(caller) !== JSON.stringify(described))
        throw new TypeError(`${place}.id is also the id of an earlier key with another plan or other limits`)
      callersById.set(id, caller)
    }
    byHash.set(sha256, { caller, expiresAt: expiresAt === undefined ? Infinity : Date.parse(expiresAt) })
  }

  return {
    add,
    find(token, hash = hashOf(token)) {
      const key = byHash.get(hash)
      return key && clock() >= key.expiresAt ? undefined : key?.caller
    },
  }
}

const [areLimits, limitsText] = limitsRule
const timeRule = [
  (value: unknown) => value === undefined || isIsoTime(value),
  'an ISO time such as 2027-01-31T00:00:00Z',
] as const

/** The rule of each member of a key. */
export const keyMembers: Readonly<
  Record<string, readonly [(value: unknown, key: KeyRecord) => boolean, string]>
> = {
  id: [(id) => typeof id === 'string' && id !== '', 'a string that names the caller'],
  sha256: [
    (hash) => typeof hash === 'string' && /^[0-9a-f]{64}$/.test(hash),
    '64 lower-case hexadecimal digits',
  ],
  plan: [isPlan, `one of ${[...Object.keys(plans), 'enterprise'].join(', ')}`],
  limits: [
    (limits, { plan }) => (plan === 'enterprise' ? areLimits(limits) : limits === undefined),
    `${limitsText}, only with the plan enterprise`,
  ],
  label: [(label) => label === undefined || typeof label === 'string', 'a string'],
  createdAt: timeRule,
  expiresAt: timeRule,
  revokedAt: timeRule,
}

/** Checks a key, which may come from a file. */
function checkKey(key: unknown, place: string): asserts key is KeyRecord {
  if (!isObject(key)) throw new TypeError(`${place} must be an object`)
  const unknown = Object.keys(key).find((member) => !Object.hasOwn(keyMembers, member))
  if (unknown !== undefined) {
    const instead = unknown === 'key' ? ': give its "sha256" instead' : ''
    throw new TypeError(`${place}.${unknown} is not a member of a key${instead}`)
  }
  for (const [member, [isValid, what]] of Object.entries(keyMembers)) {
    // A rule reads only members that precede its own, which have been checked.
    if (!isValid(key[member], key as unknown as KeyRecord))
      throw new TypeError(`${place}.${member} must be ${what}`)
  }
}

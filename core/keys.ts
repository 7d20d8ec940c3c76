import type { Caller, KeyStore } from './auth.ts'
import { checkLimits } from './limits/bucket.ts'
import { isObject } from './object.ts'
import { isPlan, limitsOf, type Plan, type PlanLimits, plans } from './plans.ts'
import { digest, digestOfHex } from './sha256.ts'

/** A key as it is kept. */
export interface KeyRecord {
  /** Names the caller; unique. */
  readonly id: string
  /** The key's SHA-256 in lower-case hexadecimal, unique: the key itself is kept nowhere. */
  readonly sha256: string
  readonly plan: Plan
  /** For the plan `enterprise`, which must have them; no other plan takes them. */
  readonly limits?: PlanLimits
  /** The ISO time from which the key is not valid any more; never where absent. */
  readonly expiresAt?: string
}

const members = new Set(['id', 'sha256', 'plan', 'limits', 'expiresAt'])

/** A date, or a time with its zone. */
const isoTime = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d))?$/

/**
 * A key store of a fixed list, which may come unchecked out of a file. Keys are looked up by their SHA-256.
 * Throws a `TypeError` that names the place of the first fault, such as `keys[2].plan`.
 * `clock` tells the ms since the epoch; `Date.now` by default.
 */
export function createKeyStore(keys: readonly KeyRecord[], options: { clock?: () => number } = {}): KeyStore {
  const { clock = Date.now } = options
  const byDigest = new Map<string, { caller: Caller; expiresAt: number }>()
  const ids = new Set<string>()
  if (!Array.isArray(keys)) throw new TypeError('keys must be an array')
  keys.forEach((value: unknown, i) => {
    const place = `keys[${i}]`
    const { id, sha256, plan, limits, expiresAt } = checkRecord(value, place)
    if (ids.has(id)) throw new TypeError(`${place}.id is the id of an earlier key: each needs its own`)
    if (byDigest.has(digestOfHex(sha256)))
      throw new TypeError(`${place}.sha256 is that of an earlier key: remove one of them`)
    ids.add(id)
    byDigest.set(digestOfHex(sha256), {
      caller: { id, plan, limits: plan === 'enterprise' ? checkEnterprise(limits, place) : plans[plan] },
      expiresAt: expiresAt === undefined ? Number.POSITIVE_INFINITY : Date.parse(expiresAt),
    })
  })
  return {
    find(token, tokenDigest = digest(token)) {
      const key = byDigest.get(tokenDigest)
      return key && clock() < key.expiresAt ? key.caller : undefined
    },
  }
}

function checkRecord(value: unknown, place: string): KeyRecord {
  if (!isObject(value)) throw new TypeError(`${place} must be an object`)
  const unknown = Object.keys(value).find((member) => !members.has(member))
  if (unknown === 'key')
    throw new TypeError(`${place}.key is not a member of a key: give its "sha256" instead`)
  if (unknown !== undefined) throw new TypeError(`${place}.${unknown} is not a member of a key`)
  const { id, sha256, plan, limits, expiresAt } = value
  if (typeof id !== 'string' || id === '')
    throw new TypeError(`${place}.id must be a string that names the caller`)
  if (typeof sha256 !== 'string' || !/^[0-9a-f]{64}$/.test(sha256)) {
    throw new TypeError(`${place}.sha256 must be 64 lower-case hexadecimal digits`)
  }
  if (!isPlan(plan)) {
    throw new TypeError(`${place}.plan must be one of ${[...Object.keys(plans), 'enterprise'].join(', ')}`)
  }
  if (limits !== undefined && plan !== 'enterprise') {
    throw new TypeError(`${place}.limits go with the plan enterprise only: remove them`)
  }
  if (expiresAt !== undefined && !isTime(expiresAt)) {
    throw new TypeError(`${place}.expiresAt must be an ISO time with its zone, such as 2027-01-31T00:00:00Z`)
  }
  return {
    id,
    sha256,
    plan,
    ...(limits !== undefined && { limits: checkEnterprise(limits, place) }),
    ...(expiresAt !== undefined && { expiresAt }),
  }
}

function checkEnterprise(limits: unknown, place: string): PlanLimits {
  const names = `${place}.limits must be { "minute": N, "day": N } with the plan enterprise, two whole numbers from 1 to 150119987579 and 104249991`
  if (!isObject(limits) || Object.keys(limits).some((member) => member !== 'minute' && member !== 'day')) {
    throw new TypeError(names)
  }
  const { minute, day } = limits
  if (typeof minute !== 'number' || typeof day !== 'number') throw new TypeError(names)
  try {
    checkLimits(limitsOf({ minute, day }))
  } catch (cause) {
    throw new TypeError(names, { cause })
  }
  return { minute, day }
}

function isTime(value: unknown): value is string {
  return typeof value === 'string' && isoTime.test(value) && !Number.isNaN(Date.parse(value)) && isDay(value)
}

/** Whether the calendar has the day: `Date.parse` takes 30 February for 2 March. */
function isDay(time: string): boolean {
  const day = time.slice(0, 10)
  return new Date(day).toISOString().startsWith(day)
}

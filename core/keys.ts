import { type Caller, type DigestKeyStore, findByDigest } from './auth.ts'
import { isObject } from './json.ts'
import { checkOptionNames } from './option-names.ts'
import { isPlan, type Plan, type PlanLimits, plans } from './plans.ts'
import { digest, digestOfHex } from './sha256.ts'

/** An API key as it is stored. */
export interface KeyRecord {
  /** Names the caller; unique. */
  readonly id: string
  /** The SHA-256 of the key as 64 lower-case hexadecimal digits; unique. The key itself is stored nowhere. */
  readonly sha256: string
  /** The plan of the caller. */
  readonly plan: Plan
  /** Required with the plan `enterprise`, and only allowed with it. */
  readonly limits?: PlanLimits
  /** The ISO time from which the key is not valid any more; never if it is absent. */
  readonly expiresAt?: string
}

/** Limits up to this can be counted exactly: a day of it has less than 2^53 request-milliseconds. */
export const maxRequests = 100_000_000

const members = new Set(['id', 'sha256', 'plan', 'limits', 'expiresAt'])

/** A date, or a time with its zone. */
const isoTime = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d))?$/

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
export function createKeyStore(
  keys: readonly KeyRecord[],
  options: { clock?: () => number } = {},
): DigestKeyStore {
  checkOptionNames(options, ['clock'])
  const { clock = Date.now } = options
  const byDigest = new Map<string, { caller: Caller; expiresAt: number }>()
  const ids = new Set<string>()
  if (!Array.isArray(keys)) throw new TypeError('keys must be an array')
  keys.forEach((value: unknown, i) => {
    const place = `keys[${i}]`
    const { id, sha256, plan, limits, expiresAt } = checkRecord(value, place)
    if (ids.has(id)) throw new TypeError(`${place}.id is that of an earlier key`)
    if (byDigest.has(digestOfHex(sha256))) throw new TypeError(`${place}.sha256 is that of an earlier key`)
    ids.add(id)
    byDigest.set(digestOfHex(sha256), {
      caller: limits ? { id, plan, limits } : { id, plan },
      expiresAt: expiresAt === undefined ? Number.POSITIVE_INFINITY : Date.parse(expiresAt),
    })
  })

  function find(tokenDigest: string): Caller | undefined {
    const key = byDigest.get(tokenDigest)
    return key && clock() < key.expiresAt ? key.caller : undefined
  }

  return { find: (token) => find(digest(token)), [findByDigest]: find }
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
    throw new TypeError(`${place}.limits go with the plan enterprise only`)
  }
  if (expiresAt !== undefined && !isTime(expiresAt)) {
    throw new TypeError(`${place}.expiresAt must be an ISO time with its zone, such as 2027-01-31T00:00:00Z`)
  }
  return {
    id,
    sha256,
    plan,
    ...(plan === 'enterprise' && { limits: checkEnterprise(limits, place) }),
    ...(expiresAt !== undefined && { expiresAt }),
  }
}

function checkEnterprise(limits: unknown, place: string): PlanLimits {
  const { minute, day, ...others } = isObject(limits) ? limits : {}
  if (isCount(minute) && isCount(day) && Object.keys(others).length === 0) return { minute, day }
  throw new TypeError(
    `${place}.limits must be { "minute": N, "day": N }, whole numbers from 1 to ${maxRequests}, with the plan enterprise`,
  )
}

function isCount(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) >= 1 && Number(value) <= maxRequests
}

function isTime(value: unknown): value is string {
  return typeof value === 'string' && isoTime.test(value) && !Number.isNaN(Date.parse(value)) && isDay(value)
}

/** Whether the calendar has the day: `Date.parse` reads 30 February as 2 March. */
function isDay(time: string): boolean {
  const day = time.slice(0, 10)
  return new Date(day).toISOString().startsWith(day)
}

import { deepFreeze } from '../base/deep-freeze.ts'
import { isObject } from '../base/json.ts'
import { checkOptions, dropUndefined, isWholeNumber, type OptionRule } from '../base/options.ts'
import type { Limit } from './bucket.ts'

/** A plan's rate limits. Both are integers from 1 to 100,000,000. */
export interface PlanLimits {
  /** Maximum requests per minute. */
  readonly minute: number
  /** Maximum requests per day. */
  readonly day: number
}

/** A plan with the same limits for all its callers. */
export type FixedPlan = 'free' | 'pro' | 'business'

/** A plan (spec 8). With `enterprise`, every caller has its own limits. */
export type Plan = FixedPlan | 'enterprise'

/**
 * Default rate limits by plan (spec 8). `enterprise` has none, because every caller has its own.
 *
 * @example
 * import { plans } from 'pet-adoption-service'
 *
 * plans.pro.minute // 300
 */
export const plans: Readonly<Record<FixedPlan, PlanLimits>> = deepFreeze({
  free: { minute: 60, day: 1_000 },
  pro: { minute: 300, day: 10_000 },
  business: { minute: 1_000, day: 100_000 },
})

/**
 * Checks whether a value is a plan name.
 *
 * @example
 * import { isPlan } from 'pet-adoption-service'
 *
 * isPlan('enterprise') // true
 * isPlan('gold') // false
 */
export function isPlan(value: unknown): value is Plan {
  return value === 'enterprise' || (typeof value === 'string' && Object.hasOwn(plans, value))
}

/** Converts a plan's limits into an array. */
export function toLimits({ minute, day }: PlanLimits): readonly Limit[] {
  return [
    { requests: minute, windowMs: 60_000 },
    { requests: day, windowMs: 86_400_000 },
  ]
}

/** Largest limit that can be counted exactly. Multiplied by the milliseconds in a day, it is below 2^53. */
export const maxRequests = 100_000_000

/** The rule for a plan's limits. */
export const limitsRule: OptionRule = [
  (limits) => {
    const { minute, day, ...others } = isObject(limits) ? limits : {}
    return (
      [minute, day].every((count) => isWholeNumber(count, 1, maxRequests)) && Object.keys(others).length === 0
    )
  },
  `{ "minute": N, "day": N } with integers from 1 to ${maxRequests}`,
]

/** Rate limits by plan, and for anonymous clients. */
export type PlanOptions = Readonly<Record<FixedPlan | 'anonymous', PlanLimits>>

/**
 * Validates `options.plans` and fills in the defaults. By default, anonymous clients have the limits of the plan
 * `free`.
 *
 * @throws {TypeError} If a plan is unknown, or its limits are not valid. The message names the plan.
 */
export function readPlans(given: Partial<PlanOptions> = {}): PlanOptions {
  const rules = { free: limitsRule, pro: limitsRule, business: limitsRule, anonymous: limitsRule }
  checkOptions(given, rules, 'options.plans')
  return { ...plans, anonymous: given.free ?? plans.free, ...dropUndefined(given) }
}

/** Validates `options.plans` and converts all limits into arrays. */
export function readLimits(
  given?: Partial<PlanOptions>,
): Readonly<Record<keyof PlanOptions, readonly Limit[]>> {
  const entries = Object.entries(readPlans(given)).map(([plan, limits]) => [plan, toLimits(limits)])
  return Object.fromEntries(entries) // `entries` contains every plan
}

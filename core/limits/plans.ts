import { deepFreeze } from '../base/deep-freeze.ts'
import { isObject } from '../base/json.ts'
import { checkOptions, dropUndefined, isWholeNumber, type OptionRule } from '../base/options.ts'
import type { Limit } from './bucket.ts'

/** The limits of a plan: whole numbers from 1. */
export interface PlanLimits {
  /** Requests per minute. */
  readonly minute: number
  /** Requests per day. */
  readonly day: number
}

/** A plan with limits of its own. */
export type FixedPlan = 'free' | 'pro' | 'business'

/** A plan that a caller can be on (spec 8). */
export type Plan = FixedPlan | 'enterprise'

/**
 * The plans with limits of their own (spec 8). The limits of `enterprise` are agreed with each caller.
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
 * Returns whether a value is the name of a plan.
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

/** Returns the limits of a plan in the form that limiters use. */
export function toLimits({ minute, day }: PlanLimits): readonly Limit[] {
  return [
    { requests: minute, windowMs: 60_000 },
    { requests: day, windowMs: 86_400_000 },
  ]
}

/** Limits up to this can be counted exactly: a day of it has less than 2^53 request-milliseconds. */
export const maxRequests = 100_000_000

/** Rule of limits: the two members of a plan, and no others. */
export const limitsRule: OptionRule = [
  (limits) => {
    const { minute, day, ...others } = isObject(limits) ? limits : {}
    return (
      [minute, day].every((count) => isWholeNumber(count, 1, maxRequests)) && Object.keys(others).length === 0
    )
  },
  `{ "minute": N, "day": N }, whole numbers from 1 to ${maxRequests}`,
]

/** Requests per minute and day for each plan and for anonymous clients. */
export type PlanOptions = Readonly<Record<FixedPlan | 'anonymous', PlanLimits>>

/**
 * Reads the option `plans`. Plans that are left out have their default. An anonymous client has the numbers of `free`.
 *
 * @throws {TypeError} A plan, a member or a number is invalid or unknown. The message names its place.
 */
export function readPlans(given: Partial<PlanOptions> = {}): PlanOptions {
  const rules = { free: limitsRule, pro: limitsRule, business: limitsRule, anonymous: limitsRule }
  checkOptions(given, rules, 'options.plans')
  return { ...plans, anonymous: given.free ?? plans.free, ...dropUndefined(given) }
}

/** Returns the limits of each plan of the option, in the form that limiters use. */
export function readLimits(
  given?: Partial<PlanOptions>,
): Readonly<Record<keyof PlanOptions, readonly Limit[]>> {
  const entries = Object.entries(readPlans(given)).map(([plan, limits]) => [plan, toLimits(limits)])
  return Object.fromEntries(entries) // by the same plans
}

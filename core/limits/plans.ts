import { deepFreeze } from '../base/frozen.ts'
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
export function limitsOf({ minute, day }: PlanLimits): readonly Limit[] {
  return [
    { requests: minute, windowMs: 60_000 },
    { requests: day, windowMs: 86_400_000 },
  ]
}

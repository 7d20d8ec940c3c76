import type { Limit } from './limits/bucket.ts'

/** Requests per minute and per day: whole numbers from 1. */
export interface PlanLimits {
  readonly minute: number
  readonly day: number
}

export type FixedPlan = 'free' | 'pro' | 'business'

/** The plans with limits of their own (spec 8); those of `enterprise` are the key's. */
export const plans: Readonly<Record<FixedPlan, PlanLimits>> = {
  free: { minute: 60, day: 1_000 },
  pro: { minute: 300, day: 10_000 },
  business: { minute: 1_000, day: 100_000 },
}

/** A plan that a caller can be on (spec 8). */
export type Plan = FixedPlan | 'enterprise'

/** Whether a value is the name of a plan. */
export function isPlan(value: unknown): value is Plan {
  return value === 'enterprise' || (typeof value === 'string' && Object.hasOwn(plans, value))
}

const minuteMs = 60_000
const dayMs = 86_400_000

/** A plan's limits as a limiter takes them. */
export function limitsOf({ minute, day }: PlanLimits): readonly Limit[] {
  return [
    { requests: minute, windowMs: minuteMs },
    { requests: day, windowMs: dayMs },
  ]
}

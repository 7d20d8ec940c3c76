/** @internal The names of the rate plans with fixed limits (section 8). */
export const ratePlanNames = ['free', 'pro', 'business'] as const
/** A rate plan with fixed limits (section 8). */
export type RatePlan = (typeof ratePlanNames)[number]

/** The requests per minute and per day that each plan allows (section 8). */
export const ratePlans: Readonly<Record<RatePlan, readonly [minute: number, day: number]>> = {
  free: [60, 1000],
  pro: [300, 10_000],
  business: [1000, 100_000],
}

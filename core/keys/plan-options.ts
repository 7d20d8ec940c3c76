import { isObject } from '../base/json.ts'
import { checkOptionNames } from '../base/option-names.ts'
import { type FixedPlan, type PlanLimits, plans } from '../limits/plans.ts'
import { areLimits, limitsText } from './keys.ts'

/** Requests per minute and day by plan, and those of an anonymous client. */
export type PlanOptions = Readonly<Record<FixedPlan | 'anonymous', PlanLimits>>

/**
 * Reads the option `plans`. Plans that are left out have their default. An anonymous client has the numbers of `free`.
 *
 * @throws {TypeError} A plan, a member or a number is invalid or unknown. The message names its place.
 */
export function readPlans(given: Partial<PlanOptions> = {}): PlanOptions {
  if (!isObject(given)) throw new TypeError('options.plans must be an object')
  const { free = plans.free, pro = plans.pro, business = plans.business, anonymous = free } = given
  const read = { free, pro, business, anonymous }
  checkOptionNames(given, Object.keys(read), 'options.plans')
  for (const [plan, numbers] of Object.entries(read))
    if (!areLimits(numbers)) throw new TypeError(`options.plans.${plan} ${limitsText}`)
  return read
}

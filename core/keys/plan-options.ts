import { isObject } from '../base/json.ts'
import { checkOptionNames } from '../base/option-names.ts'
import { type FixedPlan, type PlanLimits, plans } from '../limits/plans.ts'
import { maxRequests } from './keys.ts'

/** Requests per minute and day by plan, and those of an anonymous client. */
export type PlanOptions = Readonly<Record<FixedPlan | 'anonymous', PlanLimits>>

/**
 * Reads the option `plans`. Plans that are left out have their default. An anonymous client has the numbers of `free`.
 *
 * @throws {TypeError} A plan, a member or a number is invalid or unknown. The message names its place.
 */
export function readPlans(given: Partial<PlanOptions> = {}): PlanOptions {
  if (!isObject(given)) throw new TypeError('options.plans must be an object of plans')
  const { free = plans.free, pro = plans.pro, business = plans.business, anonymous = free } = given
  const read = { free, pro, business, anonymous }
  checkOptionNames(given, Object.keys(read), 'options.plans')
  for (const [plan, numbers] of Object.entries(read)) checkNumbers(numbers, `options.plans.${plan}`)
  return read
}

function checkNumbers(numbers: unknown, place: string): void {
  const { minute, day, ...others } = isObject(numbers) ? numbers : {}
  if (isCount(minute) && isCount(day) && Object.keys(others).length === 0) return
  throw new TypeError(`${place} must be { "minute": N, "day": N }, whole numbers from 1 to ${maxRequests}`)
}

function isCount(value: unknown): boolean {
  return Number.isInteger(value) && Number(value) >= 1 && Number(value) <= maxRequests
}

import { checkLimits, isPlan, type KeyRecord, limitsOf, type Plan, plans } from '../../../core/index.ts'
import { UsageError } from '../errors.ts'
import type { Setting, Settings } from './settings.ts'

/** The names of all plans. */
export const planNames: readonly string[] = [...Object.keys(plans), 'enterprise' satisfies Plan]

/** A list in words: `free, pro, business or enterprise`. */
export function listed(words: readonly string[]): string {
  return `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`
}

/** A key's plan, and its limits where the plan is `enterprise`. */
export type KeyPlan = Pick<KeyRecord, 'plan' | 'limits'>

/** Reads `--plan`, `--minute` and `--day`. Throws `UsageError`, also where there is neither a plan nor a `fallback`. */
export function readPlan(
  { plan: setting, minute, day }: Settings,
  fallback?: Exclude<Plan, 'enterprise'>,
): KeyPlan {
  const plan = setting?.value ?? fallback
  if (!isPlan(plan)) throw new UsageError(`--plan is missing: give ${listed(planNames)}`)
  if (plan !== 'enterprise') {
    const stray = minute ?? day
    if (stray) throw new UsageError(`${stray.source} is for the plan enterprise only: leave it out`)
    return { plan }
  }
  if (!minute || !day) throw new UsageError('the plan enterprise requires both --minute N and --day N')
  const limits = { minute: wholeNumber(minute), day: wholeNumber(day) }
  try {
    checkLimits(limitsOf(limits))
  } catch (cause) {
    throw new UsageError(`${minute.source}, ${day.source}: ${cause instanceof Error ? cause.message : cause}`)
  }
  return { plan, limits }
}

function wholeNumber({ value, source }: Setting): number {
  if (!/^[1-9]\d*$/.test(value)) throw new UsageError(`${source} must be a whole number from 1`)
  return Number(value)
}

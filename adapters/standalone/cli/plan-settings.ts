import { isPlan, type KeyRecord, type Plan } from '../../../core/index.ts'
import { limitsOf } from '../../../core/internal.ts'
import { checkLimits } from '../../../core/limiter.ts'
import { UsageError } from '../errors.ts'
import type { Setting, Settings } from './settings.ts'

/** A key's plan, and its limits where the plan is `enterprise`. */
export type KeyPlan = Pick<KeyRecord, 'plan' | 'limits'>

/** Reads `--plan`, `--minute` and `--day`. Throws `UsageError`, also where there is no plan and no `fallback`. */
export function readPlan(
  { plan: setting, minute, day }: Settings,
  fallback?: Exclude<Plan, 'enterprise'>,
): KeyPlan {
  const plan = setting?.value ?? fallback
  if (!isPlan(plan)) throw new UsageError('--plan is missing: give free, pro, business or enterprise')
  if (plan !== 'enterprise') {
    const stray = minute ?? day
    if (stray) throw new UsageError(`${stray.source} goes with the plan enterprise only: leave it out`)
    return { plan }
  }
  if (!minute || !day) throw new UsageError('the plan enterprise needs both --minute N and --day N')
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

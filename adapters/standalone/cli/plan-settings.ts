import { isPlan, type KeyRecord, type Plan } from '../../../core/index.ts'
import { maxRequests } from '../../../core/internal.ts'
import { UsageError } from '../errors.ts'
import { flags, listed } from './flags.ts'
import type { Setting, Settings } from './settings.ts'

/** A key's plan, and its limits where the plan is `enterprise`. */
export type KeyPlan = Pick<KeyRecord, 'plan' | 'limits'>

/** Reads `--plan`, `--minute` and `--day`. Throws `UsageError`, also where there is neither a plan nor a `fallback`. */
export function readPlan(
  { plan: setting, minute, day }: Settings,
  fallback?: Exclude<Plan, 'enterprise'>,
): KeyPlan {
  const plan = setting?.value ?? fallback
  if (!isPlan(plan)) throw new UsageError(`--plan is missing: give ${listed(flags.plan.choices ?? [])}`)
  if (plan !== 'enterprise') {
    const stray = minute ?? day
    if (stray) throw new UsageError(`${stray.source} is for the plan enterprise only: leave it out`)
    return { plan }
  }
  if (!minute || !day) throw new UsageError('the plan enterprise requires both --minute N and --day N')
  return { plan, limits: { minute: wholeNumber(minute), day: wholeNumber(day) } }
}

function wholeNumber({ value, source }: Setting): number {
  if (!/^[1-9]\d*$/.test(value) || Number(value) > maxRequests)
    throw new UsageError(`${source} must be a whole number from 1 to ${maxRequests}`)
  return Number(value)
}

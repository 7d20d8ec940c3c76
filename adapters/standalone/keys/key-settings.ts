import { isPlan, type KeyRecord, type Plan } from '../../../core/index.ts'
import type { KeySelection } from '../../sql/key-records.ts'
import { listWords } from '../cli/flags.ts'
import { oneOf, type Settings } from '../cli/settings.ts'
import { planNames } from '../cli/values.ts'
import { UsageError } from '../errors.ts'

/** A key's plan, and its limits if the plan is `enterprise`. */
export type KeyPlan = Pick<KeyRecord, 'plan' | 'limits'>

export type PlanSettings = Pick<Settings, 'plan' | 'minute' | 'day'>

/** Reads `--id`, `--expires` and `--label`. Throws `UsageError`. */
export function readNewKey(
  { id, expires, label }: Pick<Settings, 'id' | 'expires' | 'label'>,
  now: number,
): Pick<KeyRecord, 'id' | 'expiresAt' | 'label'> {
  if (!id) throw new UsageError('--id is missing: give --id NAME, which names the caller of the key')
  if (expires && Date.parse(expires.value) <= now)
    throw new UsageError(`${expires.source} must be in the future`)
  return {
    id: id.value,
    ...(expires && { expiresAt: expires.value }),
    ...(label && { label: label.value }),
  }
}

/** Reads `--plan`, `--minute` and `--day`. Throws `UsageError`, also if there is neither a plan nor a `fallback`. */
export function readPlan(
  { plan: setting, minute, day }: PlanSettings,
  fallback?: Exclude<Plan, 'enterprise'>,
): KeyPlan {
  const plan = setting?.value ?? fallback
  if (!isPlan(plan)) throw new UsageError(`--plan is missing: give ${listWords(planNames)}`)
  if (plan !== 'enterprise') {
    const stray = minute ?? day
    if (stray) throw new UsageError(`${stray.source} is for the plan enterprise only: leave it out`)
    return { plan }
  }
  if (!minute || !day) throw new UsageError('the plan enterprise requires both --minute N and --day N')
  return { plan, limits: { minute: minute.value, day: day.value } }
}

/** Reads `--id` or `--hash`. Throws `UsageError`. */
export function readSelection(settings: Pick<Settings, 'id' | 'hash'>): KeySelection {
  const { id, hash } = settings
  const name = oneOf(settings, ['id', 'hash'])
  if (id && name === 'id') return { id: id.value }
  if (hash) return { sha256: hash.value }
  throw new UsageError('keys revoke requires --id NAME or --hash PREFIX')
}

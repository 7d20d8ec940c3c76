import { isPlan, type KeyRecord, type Plan } from '../../../core/index.ts'
import type { KeySelection } from '../../backend/index.ts'
import { joinWithOr } from '../cli/flags.ts'
import { chooseOne, type Settings } from '../cli/settings.ts'
import { planNames } from '../cli/values.ts'
import { UsageError } from '../errors.ts'
import type { KeyPlan } from './key-list.ts'

export type PlanSettings = Pick<Settings, 'plan' | 'minute' | 'day'>

/**
 * Reads `--id`, `--expires` and `--label`.
 *
 * @throws {UsageError} If the id is missing, or the key would already be expired.
 */
export function readNewKey(
  { id, expires, label }: Pick<Settings, 'id' | 'expires' | 'label'>,
  now: number,
): Pick<KeyRecord, 'id' | 'expiresAt' | 'label'> {
  if (!id) throw new UsageError('--id is missing: give --id NAME, which identifies the caller')
  if (expires && Date.parse(expires.value) <= now)
    throw new UsageError(`${expires.source} must be in the future`)
  return {
    id: id.value,
    ...(expires && { expiresAt: expires.value }),
    ...(label && { label: label.value }),
  }
}

/**
 * Reads `--plan`, `--minute` and `--day`.
 *
 * @throws {UsageError} If there is neither a plan nor a `fallback`, or the limits do not fit the plan.
 */
export function readPlan(
  { plan: setting, minute, day }: PlanSettings,
  fallback?: Exclude<Plan, 'enterprise'>,
): KeyPlan {
  const plan = setting?.value ?? fallback
  if (!isPlan(plan)) throw new UsageError(`--plan is missing: give ${joinWithOr(planNames)}`)
  if (plan !== 'enterprise') {
    const stray = minute ?? day
    if (stray) throw new UsageError(`${stray.source} is only for the enterprise plan: remove it`)
    return { plan }
  }
  if (!minute || !day) throw new UsageError('the enterprise plan requires --minute N and --day N')
  return { plan, limits: { minute: minute.value, day: day.value } }
}

/**
 * Reads which keys to revoke.
 *
 * @throws {UsageError} If neither `--id` nor `--hash` is given, or both are.
 */
export function readSelection(settings: Pick<Settings, 'id' | 'hash'>): KeySelection {
  const { id, hash } = settings
  const name = chooseOne(settings, ['id', 'hash'])
  if (id && name === 'id') return { id: id.value }
  if (hash) return { sha256: hash.value }
  throw new UsageError('keys revoke requires --id NAME or --hash PREFIX')
}

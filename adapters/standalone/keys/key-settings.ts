import { isPlan, type KeyRecord, type Plan } from '../../../core/index.ts'
import { isIsoTime, isoTime, maxRequests } from '../../../core/internal.ts'
import type { KeySelection } from '../../sql/key-records.ts'
import { flags, listed } from '../cli/flags.ts'
import { oneOf, readWhole, type Setting, type Settings } from '../cli/settings.ts'
import { UsageError } from '../errors.ts'

/** A key's plan, and its limits where the plan is `enterprise`. */
export type KeyPlan = Pick<KeyRecord, 'plan' | 'limits'>

/** Maximum length of an id and a label, in code points. */
const maxLength = 200
/** A text without control characters. Joiners are invisible too, and part of words and of emoji. */
const visible = /^(?:\P{C}|[\u200c\u200d])+$/u
const unitMs: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** Reads `--id`, `--expires` and `--label`. Throws `UsageError`. */
export function readNewKey(
  { id, expires, label }: Settings,
  now: number,
): Pick<KeyRecord, 'id' | 'expiresAt' | 'label'> {
  if (!id) throw new UsageError('--id is missing: give --id NAME, which names the caller of the key')
  return {
    id: readText(id),
    ...(expires && { expiresAt: readExpiry(expires, now) }),
    ...(label && { label: readText(label) }),
  }
}

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
  return { plan, limits: { minute: readWhole(minute, 1, maxRequests), day: readWhole(day, 1, maxRequests) } }
}

/** Reads `--overlap`, in milliseconds. Throws `UsageError`. */
export function readOverlap({ overlap }: Settings): number | undefined {
  if (!overlap) return undefined
  const [, count, unit = ''] = /^(\d{1,6})([smhd])$/.exec(overlap.value) ?? []
  if (count !== undefined) return Number(count) * (unitMs[unit] ?? 0)
  throw new UsageError(`${overlap.source} must be a number of up to six digits and s, m, h or d, such as 7d`)
}

/** Reads `--id` or `--hash`. Throws `UsageError`. */
export function readSelection(settings: Settings): KeySelection {
  const name = oneOf(settings, ['id', 'hash'])
  const setting = name && settings[name]
  if (!setting) throw new UsageError('keys revoke requires --id NAME or --hash PREFIX')
  if (name === 'id') return { id: setting.value }
  const sha256 = setting.value.toLowerCase()
  if (/^[0-9a-f]{8,64}$/.test(sha256)) return { sha256 }
  throw new UsageError(
    `${setting.source} must be at least eight hexadecimal digits: the beginning of a hash that keys list shows`,
  )
}

/** Ids and labels are printed and logged, on one line. */
function readText({ value, source }: Setting): string {
  if (visible.test(value) && [...value].length <= maxLength) return value
  throw new UsageError(`${source} must be at most ${maxLength} characters long, without control characters`)
}

function readExpiry({ value, source }: Setting, now: number): string {
  if (!isIsoTime(value)) {
    throw new UsageError(
      `${source} must be a date, or a time with its zone, such as 2028-01-31 or 2028-01-31T12:00:00Z`,
    )
  }
  if (Date.parse(value) <= now) throw new UsageError(`${source} must be in the future`)
  return isoTime(Date.parse(value))
}

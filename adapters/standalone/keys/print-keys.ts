import { type KeyRecord, plans } from '../../../core/index.ts'
import { printable } from '../cli/printable.ts'

/** A key as `--json` shows it, with the limits of its plan. */
export function describedKey(key: KeyRecord): object {
  const { id, plan, sha256, label, createdAt, expiresAt, revokedAt } = key
  return { id, plan, limits: limitsOfKey(key), sha256, label, createdAt, expiresAt, revokedAt }
}

/** Returns a table of keys for people. */
export function tableOf(keys: readonly KeyRecord[], now: number): string {
  const rows = keys.map((key) => [
    printable(key.id),
    key.plan,
    limitsText(key),
    stateOf(key, now),
    timeOf(key.createdAt),
    key.sha256.slice(0, shownDigits),
    printable(key.label ?? ''),
  ])
  const table = [['ID', 'PLAN', 'A MINUTE/DAY', 'STATE', 'ISSUED', 'HASH', 'LABEL'], ...rows]
  const widths = table[0]?.map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0))) ?? []
  return table
    .map(
      (row) =>
        `${row
          .map((cell, column) => cell.padEnd(widths[column] ?? 0))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('')
}

/** Returns what a key allows, in words: `plan pro, 300 requests a minute and 10,000 a day`. */
export function planText(key: KeyRecord): string {
  const { minute, day } = limitsOfKey(key)
  return `plan ${key.plan}, ${minute.toLocaleString('en')} requests a minute and ${day.toLocaleString('en')} a day`
}

/** How many digits of a hash people see. */
const shownDigits = 12

function limitsOfKey({ plan, limits }: KeyRecord): { minute: number; day: number } {
  // A valid record has limits with the plan enterprise.
  const { minute, day } = limits ?? (plan === 'enterprise' ? { minute: 0, day: 0 } : plans[plan])
  return { minute, day }
}

function limitsText(key: KeyRecord): string {
  const { minute, day } = limitsOfKey(key)
  return `${minute}/${day}`
}

function stateOf({ expiresAt, revokedAt }: KeyRecord, now: number): string {
  if (revokedAt !== undefined) return `revoked ${timeOf(revokedAt)}`
  if (expiresAt === undefined) return 'valid'
  return now < Date.parse(expiresAt) ? `valid until ${timeOf(expiresAt)}` : `expired ${timeOf(expiresAt)}`
}

/** Returns a time to the minute, in UTC. */
function timeOf(time: string | undefined): string {
  return time === undefined ? '-' : `${new Date(time).toISOString().slice(0, 16)}Z`
}

import { type KeyRecord, plans } from '../../../core/index.ts'
import { toIsoTime } from '../../../core/internal.ts'
import { printable } from '../log/log-format.ts'

/** A key as `--json` shows it, with the limits of its plan. */
export function describedKey(key: KeyRecord): object {
  const { id, plan, sha256, label, createdAt, expiresAt, revokedAt } = key
  return { id, plan, limits: findLimits(key), sha256, label, createdAt, expiresAt, revokedAt }
}

/** Number of digits of a hash in a table. */
const shownDigits = 12

/** Returns a table of keys for people. */
export function formatTable(keys: readonly KeyRecord[], now: number): string {
  const rows = keys.map((key) => {
    const { minute, day } = findLimits(key)
    const hash = key.sha256.slice(0, shownDigits)
    const issued = formatTime(key.createdAt)
    return [key.id, key.plan, `${minute}/${day}`, describeState(key, now), issued, hash, key.label ?? ''].map(
      printable,
    )
  })
  const head = ['ID', 'PLAN', 'A MINUTE/DAY', 'STATE', 'ISSUED', 'HASH', 'LABEL']
  const widths = head.map(({ length }, i) => Math.max(length, ...rows.map((row) => row[i]?.length ?? 0)))
  const formatLine = (row: readonly string[]) => row.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join('  ')
  return [head, ...rows].map((row) => `${formatLine(row).trimEnd()}\n`).join('')
}

/** Returns what a key allows, in words: `plan pro, 300 requests a minute and 10,000 a day`. */
export function describePlan(key: KeyRecord): string {
  const { minute, day } = findLimits(key)
  return `plan ${key.plan}, ${minute.toLocaleString('en')} requests a minute and ${day.toLocaleString('en')} a day`
}

function findLimits({ plan, limits }: KeyRecord): { minute: number; day: number } {
  // A valid record has limits with the plan enterprise.
  const { minute, day } = limits ?? (plan === 'enterprise' ? { minute: 0, day: 0 } : plans[plan])
  return { minute, day }
}

function describeState({ expiresAt, revokedAt }: KeyRecord, now: number): string {
  if (revokedAt !== undefined) return `revoked ${formatTime(revokedAt)}`
  if (expiresAt === undefined) return 'valid'
  return now < Date.parse(expiresAt)
    ? `valid until ${formatTime(expiresAt)}`
    : `expired ${formatTime(expiresAt)}`
}

/** Returns a time to the minute, in UTC. */
function formatTime(time: string | undefined): string {
  return time === undefined ? '-' : `${toIsoTime(Date.parse(time)).slice(0, 16)}Z`
}

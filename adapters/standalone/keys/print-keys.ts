import { type KeyRecord, plans } from '../../../core/index.ts'
import { toIsoTime } from '../../../core/internal.ts'
import { escapeControls } from '../log/log-format.ts'

/** Returns a key as `--json` prints it, with its plan's limits. */
export function toKeyJson(key: KeyRecord): object {
  const { id, plan, sha256, label, createdAt, expiresAt, revokedAt } = key
  return { id, plan, limits: findLimits(key), sha256, label, createdAt, expiresAt, revokedAt }
}

/** How many hash digits the table shows. */
const shownHashDigits = 12

/** Formats keys as a table for people. */
export function formatTable(keys: readonly KeyRecord[], now: number): string {
  const rows = keys.map((key) => {
    const { minute, day } = findLimits(key)
    const hash = key.sha256.slice(0, shownHashDigits)
    const issued = formatTime(key.createdAt)
    return [key.id, key.plan, `${minute}/${day}`, describeState(key, now), issued, hash, key.label ?? ''].map(
      escapeControls,
    )
  })
  const head = ['ID', 'PLAN', 'MINUTE/DAY', 'STATE', 'ISSUED', 'HASH', 'LABEL']
  const widths = head.map(({ length }, i) => Math.max(length, ...rows.map((row) => row[i]?.length ?? 0)))
  const formatLine = (row: readonly string[]) => row.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join('  ')
  return [head, ...rows].map((row) => `${formatLine(row).trimEnd()}\n`).join('')
}

/** Describes what a key allows: `plan pro, 300 requests per minute and 10,000 per day`. */
export function describePlan(key: KeyRecord): string {
  const { minute, day } = findLimits(key)
  return `plan ${key.plan}, ${minute.toLocaleString('en')} requests per minute and ${day.toLocaleString('en')} per day`
}

function findLimits({ plan, limits }: KeyRecord): { minute: number; day: number } {
  // A valid enterprise record has limits.
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

/** Formats a time in UTC, to the minute. */
function formatTime(time: string | undefined): string {
  return time === undefined ? '-' : `${toIsoTime(Date.parse(time)).slice(0, 16)}Z`
}

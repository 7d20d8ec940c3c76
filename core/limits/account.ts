import * as fields from './fields.ts'

/**
 * Rate limit state for one caller or client address, as numbers that can be stored as JSON. `fields.ts` has the
 * indexes. A limiter may hold a million accounts, and objects would take three times the memory.
 */
export type Account = [number, number, number, number, number, number, number, ...number[]]

/** Number of steps in the sliding ban window. */
export const windowSteps = 10

/** Backward clock steps up to this length are ignored. */
export const clockToleranceMs = 2_000

/** Fields that hold a time. */
const timeFields = [
  fields.lastAllowedAt,
  fields.expiresAt,
  fields.bannedUntil,
  fields.streakStartedAt,
  fields.lastRejectedAt,
  fields.newestStepAt,
] as const

/**
 * Moves all times in the account back if the clock was set back by more than 2 s, so that no limit or ban lasts longer.
 */
export function shiftToClock(account: Account, clock: number): void {
  const setBackMs = account[fields.lastAllowedAt] - clock
  if (setBackMs <= clockToleranceMs) return
  for (const field of timeFields) if (account[field] !== 0) account[field] -= setBackMs
  for (let field: number = fields.firstLimit + 1; field < account.length; field += 3)
    account[field] = (account[field] ?? 0) - setBackMs
}

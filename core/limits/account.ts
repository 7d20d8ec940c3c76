/**
 * All that a limiter stores of one key, in one list of numbers: a limiter holds a million of them, and an object with
 * these members would take three times as much memory. It can be stored as JSON.
 */
export type Account = [number, number, number, number, number, number, number, ...number[]]

/** In how many steps the window of a ban policy slides. */
export const stepsOfWindow = 10

/** Where an account has what. Times are in milliseconds since the epoch, and 0 before the first. */
export const fields = {
  /** When the last request was admitted, or the account was created. */
  at: 0,
  /** When the account becomes the same as a new one, for a limiter that drops it then. */
  endsAt: 1,
  /** When the last ban ends or ended. */
  bannedUntil: 2,
  /** How many bans followed each other. */
  bans: 3,
  /** When the last streak of rejections began. */
  streakAt: 4,
  /** When the last rejection of that streak was, counted or not. */
  rejectedAt: 5,
  /** When the latest step began in which rejections were counted. */
  stepAt: 6,
  /** How many rejections count, in the latest step and in each step before it. */
  counts: 7,
  /** For each limit, its debt, the start of its window, and how many requests were admitted in that window. */
  limits: 17,
} as const

/** A clock that steps back by no more than this stands still instead. */
export const clockToleranceMs = 2_000

/** Moves an account to a clock that has stepped back, so that no part of it lasts longer and no key waits for it. */
export function followClock(account: Account, clock: number): void {
  const back = account[fields.at] - clock
  if (back <= clockToleranceMs) return
  const { at, endsAt, bannedUntil, streakAt, rejectedAt, stepAt } = fields
  for (const field of [at, endsAt, bannedUntil, streakAt, rejectedAt, stepAt])
    if (account[field] !== 0) account[field] -= back
  for (let field: number = fields.limits + 1; field < account.length; field += 3)
    account[field] = (account[field] ?? 0) - back
}

/**
 * The state of one key, as a list of numbers that can be stored as JSON. A limiter may hold a million of them. Objects
 * would take three times the memory.
 */
export type Account = [number, number, number, number, number, number, number, ...number[]]

/** Number of steps that the window of a ban policy has. */
export const stepsOfWindow = 10

/** Index of each field. Times are in milliseconds since the epoch, and 0 before the first event. */
export const fields = {
  /** Time of the last admitted request, or of the creation of the account. */
  at: 0,
  /** Time the account counts as new again. */
  endsAt: 1,
  /** End of the last ban. */
  bannedUntil: 2,
  /** Number of consecutive bans. */
  bans: 3,
  /** Start of the last streak of rejections. */
  streakAt: 4,
  /** Time of the last rejection of that streak, counted or not. */
  rejectedAt: 5,
  /** Start of the latest step with counted rejections. */
  stepAt: 6,
  /** Number of counted rejections in the latest step and in each step before it. */
  counts: 7,
  /** Three numbers for each limit: its debt, the start of its window, and the requests admitted in that window. */
  limits: 17,
} as const

/** Largest step back of the clock that is treated as no step, in milliseconds. */
export const clockToleranceMs = 2_000

/** Shifts the times of an account whose clock has stepped back, so that nothing of it lasts longer. */
export function followClock(account: Account, clock: number): void {
  const back = account[fields.at] - clock
  if (back <= clockToleranceMs) return
  const { at, endsAt, bannedUntil, streakAt, rejectedAt, stepAt } = fields
  for (const field of [at, endsAt, bannedUntil, streakAt, rejectedAt, stepAt])
    if (account[field] !== 0) account[field] -= back
  for (let field: number = fields.limits + 1; field < account.length; field += 3)
    account[field] = (account[field] ?? 0) - back
}

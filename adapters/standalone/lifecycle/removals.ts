import { operations } from '../../../core/index.ts'

const dayMs = 86_400_000
/** How many days before its removal an operation is warned of, and on that day. */
const warningDays = [90, 30, 7, 0]
/** How often a server that runs looks at the date, in milliseconds. */
const checkMs = 3_600_000

/** Returns a warning for each operation that is removed at `now` (ms since the epoch) or within 90 days. */
function removalWarnings(now: number): readonly string[] {
  return operations.flatMap(({ id, deprecated }) => {
    if (!deprecated) return []
    const days = Math.ceil((deprecated.removal - now) / dayMs)
    if (days > Math.max(...warningDays)) return []
    const date = new Date(deprecated.removal).toISOString().slice(0, 10)
    const instead = `callers must use ${deprecated.successor} instead`
    if (days <= 0) return [`${id} was removed on ${date} and returns 410: ${instead}`]
    return [
      `${id} returns 410 from ${date} on, which is in ${days} ${days === 1 ? 'day' : 'days'}: ${instead}`,
    ]
  })
}

/**
 * Returns a function that warns of the removal of operations: when it is first called, and later 90, 30 and 7 days before, and
 * on the day. `clock` returns the milliseconds since the epoch.
 */
export function createRemovalCheck(clock: () => number, warn: (message: string) => void): () => void {
  const dates = operations.flatMap(({ deprecated }) =>
    deprecated ? warningDays.map((days) => deprecated.removal - days * dayMs) : [],
  )
  let checkedAt = Number.NEGATIVE_INFINITY
  return () => {
    const now = clock()
    const isDue = dates.some((date) => checkedAt < date && date <= now)
    checkedAt = now
    if (isDue) for (const message of removalWarnings(now)) warn(message)
  }
}

/** Warns of the removal of operations, now and while the server runs. Returns a function that ends it. */
export function watchRemovals(clock: () => number, warn: (message: string) => void): () => void {
  const check = createRemovalCheck(clock, warn)
  check()
  const timer = setInterval(check, checkMs).unref()
  return () => clearInterval(timer)
}

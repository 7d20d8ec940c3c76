import { operations } from '../../../core/index.ts'

const dayMs = 86_400_000
/** How many days before its removal an operation is warned of. */
const warningDays = 90

/** Returns a warning for each operation that is removed at `now` (ms since the epoch) or within 90 days. */
export function removalWarnings(now: number): readonly string[] {
  return operations.flatMap(({ id, deprecated }) => {
    const days = deprecated ? Math.ceil((deprecated.removal - now) / dayMs) : Number.POSITIVE_INFINITY
    if (!deprecated || days > warningDays) return []
    const date = new Date(deprecated.removal).toISOString().slice(0, 10)
    const instead = `callers must use ${deprecated.successor} instead`
    if (days <= 0) return [`${id} was removed on ${date} and returns 410: ${instead}`]
    return [
      `${id} returns 410 from ${date} on, which is in ${days} ${days === 1 ? 'day' : 'days'}: ${instead}`,
    ]
  })
}

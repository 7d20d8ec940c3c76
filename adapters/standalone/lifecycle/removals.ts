import { operations } from '../../../core/index.ts'

/** How long before its removal an operation is warned of, in milliseconds: 90 days. */
const warningMs = 90 * 86_400_000

/** Returns a warning for each operation that is removed at `now` (ms since the epoch) or within 90 days. */
export function removalWarnings(now: number): readonly string[] {
  return operations.flatMap(({ id, deprecated }) => {
    if (!deprecated || deprecated.removal - now > warningMs) return []
    const date = new Date(deprecated.removal).toISOString().slice(0, 10)
    return [`${id} returns 410 from ${date} on: callers must use ${deprecated.successor} instead`]
  })
}

import { type Operation, operations } from '../../../core/index.ts'

const dayMs = 86_400_000
const warningDays = 90

/** What to warn of at `now` (ms since the epoch): operations that are removed, or will be within 90 days. */
export function removalWarnings(now: number, among: readonly Operation[] = operations): readonly string[] {
  return among.flatMap(({ id, deprecated }) => {
    if (!deprecated) return []
    const days = Math.ceil((deprecated.removal - now) / dayMs)
    if (days > warningDays) return []
    const date = new Date(deprecated.removal).toISOString().slice(0, 10)
    const instead = `callers must use ${deprecated.successor} instead`
    if (days > 0) return [`${id} answers 410 from ${date} on, which is in ${days} days: ${instead}`]
    return [`${id} was removed on ${date} and answers 410: ${instead}`]
  })
}

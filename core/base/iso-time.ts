/** A date, or a time with its zone. */
const format = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d))?$/

/** Returns a time in ISO form, such as `2026-11-20T12:00:00.000Z`. `ms` is in milliseconds since the epoch. */
export function toIsoTime(ms: number | bigint | string): string {
  return new Date(Number(ms)).toISOString()
}

/** Returns the day of a time, such as `2026-11-20`. */
export function isoDate(ms: number): string {
  return toIsoTime(ms).slice(0, 10)
}

/** Returns whether a value is a date, or a time with its zone. `Date.parse` alone reads 30 February as 2 March. */
export function isIsoTime(value: unknown): value is string {
  if (typeof value !== 'string' || !format.test(value) || Number.isNaN(Date.parse(value))) return false
  const day = value.slice(0, 10)
  return toIsoTime(Date.parse(day)).startsWith(day)
}

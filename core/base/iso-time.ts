/** An ISO 8601 date, or a date and time with a time zone. Seconds are optional. */
const isoTimePattern = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d))?$/

/** Formats a time in milliseconds since the epoch, such as `2026-11-20T12:00:00.000Z`. */
export function toIsoTime(ms: number | bigint | string): string {
  return new Date(Number(ms)).toISOString()
}

/** Formats the UTC date of a time in milliseconds since the epoch, such as `2026-11-20`. */
export function toIsoDate(ms: number): string {
  return toIsoTime(ms).slice(0, 10)
}

/**
 * Checks whether a value is an ISO 8601 date, or a date and time with a time zone. 30 February is invalid, although
 * `Date.parse` reads it as 2 March.
 */
export function isIsoTime(value: unknown): value is string {
  if (typeof value !== 'string' || !isoTimePattern.test(value) || Number.isNaN(Date.parse(value)))
    return false
  const day = value.slice(0, 10)
  return toIsoTime(Date.parse(day)).startsWith(day)
}

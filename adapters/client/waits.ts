/** Returns the number of a header; NaN if it is absent or unreadable. */
export function numberOf(headers: Headers, name: string): number {
  return Number(/^\d{1,12}$/.exec(headers.get(name) ?? '')?.[0] ?? Number.NaN)
}

/** Returns the time of a header, in milliseconds since the epoch (RFC 9110, 5.6.7); NaN if it is absent or unreadable. */
export function timeOf(headers: Headers, name: string): number {
  return Date.parse(/^[A-Z][a-z]+, [\w -]{9,11} [\d:]{8} GMT$/.exec(headers.get(name) ?? '')?.[0] ?? '')
}

/** Returns how long it is until a time of the server, by its `Date`, or else by the local clock. */
export function untilMs(time: number, headers: Headers, now: number): number {
  return time - (timeOf(headers, 'Date') || now)
}

/** Returns the milliseconds of `Retry-After`; undefined if it is absent, 0, past or unreadable. */
export function retryAfterMs(headers: Headers, now: number): number | undefined {
  const ms = numberOf(headers, 'Retry-After') * 1_000 || untilMs(timeOf(headers, 'Retry-After'), headers, now)
  return ms > 0 ? ms : undefined
}

/**
 * Returns how long to wait, in whole milliseconds: what the server told and up to a tenth of it, at most five seconds; or, if
 * it told nothing, exponential backoff with full jitter. `n` counts the waits of a call, from 0. No wait is 0, so that the
 * waits of a call come to an end.
 */
export function waitMs(toldMs: number | undefined, n: number, random: () => number): number {
  if (toldMs !== undefined) return Math.ceil(toldMs + random() * Math.min(toldMs / 10, 5_000))
  return Math.ceil(Math.max(random(), 0.001) * Math.min(60_000, 1_000 * 2 ** n))
}

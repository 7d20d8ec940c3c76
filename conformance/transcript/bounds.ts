import type { Profile } from '../steps/profile.ts'

/**
 * Maximum size of a response body, in bytes. A page of 100 pets whose names have 10,000 characters fits, and a hostile
 * body is parsed within 0.5 s.
 */
export const maxBodyBytes: number = 1024 * 1024

/** Maximum length of a stored body, in characters. A body grows when a placeholder replaces a shorter key. */
export const maxStoredLength: number = 4 * maxBodyBytes

/** Maximum total size of the bodies in a run, in bytes. Parsed bodies use up to 25 times as much memory. */
export const maxRunBytes: number = 16 * maxBodyBytes

/** Maximum number of requests per profile. Requests that exhaust the throttle key do not count. */
export const maxRequestsByProfile: Readonly<Record<Profile, number>> = {
  read: 40,
  create: 80,
  exhaust: Number.POSITIVE_INFINITY,
  all: Number.POSITIVE_INFINITY,
}

/** Maximum total length of a response's header names and values. Node's default is lower. */
export const maxHeaderBytes: number = 64 * 1024

/** Maximum number of exchanges in a run and in a saved report. */
export const maxExchanges = 20_000

/** Maximum length of a body in an HTML report, in characters. */
export const maxShownLength: number = 64 * 1024

/** Maximum total length of a run's bodies, in characters, if the run is judged again to find a cause. */
export const maxRepairLength: number = 4 * 1024 * 1024

/** Maximum length of other text from the deployment in a report, in characters. */
export const maxQuotedLength: number = 400

/** Shortens a text to `maxLength` characters. An ellipsis replaces the rest. */
export function shorten(text: string, maxLength: number = maxQuotedLength): string {
  return text.length > maxLength ? `${text.slice(0, maxLength - 1)}…` : text
}

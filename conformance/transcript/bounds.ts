import type { Profile } from '../steps/profile.ts'

/**
 * The largest body that the suite reads, in bytes. A page of 100 pets with names of 10,000 characters fits, and a
 * hostile body is parsed within 200 ms.
 */
export const mostOfBody: number = 1024 * 1024

/** Maximum number of bytes of bodies that one run retains. Parsed, they take up to 25 times the memory. */
export const mostOfRun: number = 16 * mostOfBody

/** Maximum number of requests of a run, by profile, without the burn (see `mostBurnt`). */
export const mostRequests: Readonly<Record<Profile, number>> = {
  read: 40,
  create: 80,
  exhaust: Number.POSITIVE_INFINITY,
  all: Number.POSITIVE_INFINITY,
}

/** Maximum number of characters in the headers of one response. The bound of Node is lower. */
export const mostOfHeaders: number = 64 * 1024

/** Maximum number of exchanges of a run, whatever `--max-requests` says, and of a saved transcript. */
export const mostExchanges = 20_000

/** Maximum number of characters of a body in a report. */
export const mostShown: number = 64 * 1024

/** Maximum number of characters of all bodies of a run that is judged again, with a fault repaired, to find causes. */
export const mostRepaired: number = 4 * 1024 * 1024

/** Maximum number of characters of any other text that a deployment determines, such as a reason, in a report. */
export const mostQuoted: number = 400

/** Returns a text shortened to a number of characters; an ellipsis replaces the end of a longer one. */
export function shorten(text: string, most: number = mostQuoted): string {
  return text.length > most ? `${text.slice(0, most - 1)}…` : text
}

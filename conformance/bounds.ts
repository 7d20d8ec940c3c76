/**
 * What the suite reads and parses of one response's body, in bytes: a page of 100 pets with names of 10,000
 * characters fits, and a hostile body costs no more than a moment.
 */
export const mostOfBody: number = 1024 * 1024

/** What the suite keeps of the bodies of one run, in bytes: parsed, they take some thirty times as much memory. */
export const mostOfRun: number = 16 * mostOfBody

/** What the suite accepts of one response's headers, in characters; Node's own bound is lower. */
export const mostOfHeaders: number = 64 * 1024

/** What a report shows of one body, in characters. */
export const mostShown: number = 64 * 1024

/** What a report shows of a text that a deployment has a part in, such as a reason, in characters. */
export const mostQuoted: number = 400

/** A text, or its beginning and an ellipsis where it has more characters. */
export function shorten(text: string, most: number = mostQuoted): string {
  return text.length > most ? `${text.slice(0, most - 1)}…` : text
}

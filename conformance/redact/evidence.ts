import { readJson } from '../transcript/json-reader.ts'
import { petStatuses } from '../transcript/pets.ts'
import { readHttpDate } from '../transcript/waits.ts'

/** Replaces all secrets in a text with placeholders. */
export type Redact = (text: string) => string

/** Header values that rules read, such as numbers and media types. They are kept even if a key has the same value. */
const commonValues =
  /^(?:@?\d{1,11}(?:\.0+)?|(?:application\/(?:problem\+)?json|text\/(?:html|plain))(?:; ?charset="?[\w-]+"?)?)$/i

/** Parts that are never redacted in a header value, as rules read them. */
const commonParts = /(^bearer\b|;\s*rel="?next"?)/i

/** A string, optionally with the colon after a member's name, or the text between strings. */
const jsonTokens = /("(?:[^"\\]|\\.)*")(\s*:)?|[^"]+/g

/** Redacts a header's value, except for values that rules read. */
export function redactHeader(
  [name, value]: readonly [string, string],
  redact: Redact,
): readonly [string, string] {
  const valueParts = value.split(commonParts)
  const redactedText = valueParts.map((part, n) => (n % 2 === 1 ? part : redact(part))).join('')
  if (redactedText === value || commonValues.test(value) || readHttpDate(value) !== undefined)
    return [name, value]
  return [name, redactedText]
}

/**
 * Redacts a body. In JSON, member names, statuses and short numbers are kept, as rules read them and a key may be a
 * word such as `limit` or `60`.
 */
export function redactBody(text: string, redact: Redact): string {
  const redactedText = redact(text)
  if (redactedText === text || readJson(text) === undefined) return redactedText
  return text.replace(jsonTokens, (token, string: string | undefined, colon = '') => {
    if (string === undefined) return longNumber.test(token) ? redact(token) : token
    const isKnown = colon !== '' || petStatuses.some((status) => `"${status}"` === string)
    return isKnown ? token : redact(string)
  })
}

/** A number that is long enough to be a key. */
const longNumber = /\d{12}/

/** Redacts the path in the base URL and removes a slash at the end. `v1` is kept, as it is the interface's version. */
export function redactUrl(baseUrl: string, redact: Redact): string {
  const { origin, pathname } = new URL(baseUrl)
  const path = pathname.split('/').map((segment) => (segment === 'v1' ? segment : redact(segment)))
  // The look-behind keeps the search linear in the number of slashes.
  return origin + path.join('/').replace(/(?<!\/)\/+$/, '')
}

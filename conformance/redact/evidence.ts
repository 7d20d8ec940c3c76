import { readJson } from '../transcript/json-reader.ts'
import { petStatuses } from '../transcript/pets.ts'
import { readHttpDate } from '../transcript/waits.ts'

/** Replaces secrets in a text. */
export type Redact = (text: string) => string

/** Names in JSON that rules read. No key is replaced in them, also if it is one of these words. */
const knownMembers = new Set(['id', 'name', 'categoryId', 'status', 'code', 'message'])

/** Names of headers that rules, or HTTP itself, give a meaning. */
const knownHeaders =
  /^(?:x-)?rate-?limit\b|^(?:accept|allow|cache-control|connection|content-[a-z]+|date|deprecation|etag|keep-alive|link|location|retry-after|server|sunset|transfer-encoding|vary|via|www-authenticate|x-content-type-options|x-rate-limit-[a-z]+)$/

/** Values of headers that the deployment does not choose freely. */
const knownValues =
  /^(?:@?\d{1,11}(?:\.0+)?|(?:application\/(?:problem\+)?json|text\/(?:html|plain))(?:; ?charset="?[\w-]+"?)?)$/i

/** Parts of values that rules read: the scheme of a challenge, and the relation of a link. */
const knownParts = /(^bearer\b|;\s*rel="?next"?)/i

/** The tokens of a JSON text: a string with the colon behind the name of a member, or the text between strings. */
const jsonTokens = /("(?:[^"\\]|\\.)*")(\s*:)?|[^"]+/g

/** Returns the names and values of headers without secrets. What rules read in them is the same. */
export function redactHeader(
  [name, value]: readonly [string, string],
  redact: Redact,
): readonly [string, string] {
  const isKnown = knownValues.test(value) || readHttpDate(value) !== undefined
  const parts = value.split(knownParts)
  const redacted = parts.map((part, n) => (n % 2 === 1 ? part : redact(part))).join('')
  return [knownHeaders.test(name) ? name : redact(name), isKnown ? value : redacted]
}

/**
 * Returns a body without secrets. In JSON, what rules read is the same: the names of members, numbers and a PetStatus.
 * A key may be a word such as `limit` or `60`.
 */
export function redactBody(text: string, redact: Redact): string {
  const redacted = redact(text)
  if (redacted === text || readJson(text) === undefined) return redacted
  return text.replace(jsonTokens, (token, string: string | undefined, colon = '') => {
    if (string === undefined) return hasLongNumber.test(token) ? redact(token) : token
    const content = string.slice(1, -1)
    const isKnown =
      colon === '' ? petStatuses.some((status) => status === content) : knownMembers.has(content)
    return isKnown ? token : redact(string) + colon
  })
}

/** A number that may be a key. Shorter ones cannot be distinguished from others. */
const hasLongNumber = /\d{12}/

/** Returns a base URL without secrets, and without a slash at its end. Of its path, only the version surely has none. */
export function redactUrl(baseUrl: string, redact: Redact): string {
  const { origin, pathname } = new URL(baseUrl)
  const path = pathname.split('/').map((segment) => (segment === 'v1' ? segment : redact(segment)))
  return origin + path.join('/').replace(/\/+$/, '')
}

import type { ReadResponse } from './responses.ts'

/** Parses a URL. Returns `undefined` if it is invalid. iOS 16 does not support `URL.canParse`. */
export function toUrl(url: string, base?: string): URL | undefined {
  try {
    return new URL(url, base)
  } catch {
    return undefined
  }
}

/** Matches a link target, a `rel` parameter or another quoted string in a `Link` header (RFC 8288, section 3). */
const linkTokens = /<([^<>]*)>|;\s*rel\s*=\s*("[^"]*"?|[^\s;,]*)|"(?:[^"\\]|\\.)*"?/gi

/**
 * Returns the URL of the first link with a matching relation, or `undefined` if no link matches. `relationPattern` is a
 * list that is separated by `|`. Only the first `rel` parameter in a link counts.
 */
export function findLink({ response, url }: ReadResponse, relationPattern: string): string | undefined {
  const wantedRelation = new RegExp(`(^|[ "])(${relationPattern})([ "]|$)`, 'i')
  let target: string | undefined
  for (const [, address, rel] of (response.headers.get('Link') ?? '').matchAll(linkTokens)) {
    target = address ?? target
    if (!rel || target === undefined) continue
    if (wantedRelation.test(rel)) return toUrl(target, url)?.href
    target = undefined
  }
  return undefined
}

/** A parsed request target. */
export interface Target {
  /** The path with percent escapes decoded, except `%2F`. */
  readonly path: string
  /** The text after the first `?`, or `undefined` if there is none. */
  readonly query: string | undefined
}

/**
 * Parses a request target that is a path or a URL (RFC 9112, 3.2). The host in a URL is ignored. Returns `undefined`
 * for any other target, such as `*`.
 */
export function parseTarget(target: string): Target | undefined {
  const pathStart = target.startsWith('/') ? 0 : /^https?:\/\/[^/?]*/i.exec(target)?.[0].length
  if (pathStart === undefined) return undefined
  const queryStart = target.indexOf('?', pathStart)
  const path = target.slice(pathStart, queryStart < 0 ? undefined : queryStart) || '/'
  const query = queryStart < 0 ? undefined : target.slice(queryStart + 1)
  return { path: path.includes('%') ? decodePath(path) : path, query }
}

/** Checks whether a path is the base path or below it. The path may have a query. */
export function ownsPath(basePath: string, path: string): boolean {
  const nextCharacter = path[basePath.length]
  return (
    path.startsWith(basePath) &&
    (nextCharacter === '/' || nextCharacter === '?' || nextCharacter === undefined)
  )
}

/**
 * Decodes percent escapes, because equivalent spellings are the same path (RFC 3986, 6.2.2.2). Encoded slashes stay
 * encoded. A path with a malformed escape is returned unchanged.
 */
function decodePath(path: string): string {
  try {
    return decodeURIComponent(path.replaceAll(/%2f/gi, '%252F'))
  } catch {
    return path
  }
}

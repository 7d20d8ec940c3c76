/** The parts of a request target. */
export interface Target {
  /** Percent-decoded once, except an escaped slash, which is not a separator and stays `%2F`. */
  readonly path: string
  /** The text after the first `?`; undefined without a `?`. */
  readonly query: string | undefined
}

/**
 * Parses a target in origin form or in absolute form, whose authority is ignored (RFC 9112, 3.2). Returns undefined for
 * another target, such as `*`, which has no path.
 */
export function parseTarget(target: string): Target | undefined {
  const start = target.startsWith('/') ? 0 : /^https?:\/\/[^/?]*/i.exec(target)?.[0].length
  if (start === undefined) return undefined
  const mark = target.indexOf('?', start)
  const path = target.slice(start, mark < 0 ? undefined : mark) || '/'
  const query = mark < 0 ? undefined : target.slice(mark + 1)
  return { path: path.includes('%') ? decodePath(path) : path, query }
}

/** Returns whether a path, which a query may follow, is a base path or below it. */
export function ownsPath(basePath: string, path: string): boolean {
  const next = path[basePath.length]
  return path.startsWith(basePath) && (next === '/' || next === '?' || next === undefined)
}

/** Equivalent spellings lead to the same place (RFC 3986, 6.2.2.2). A path with a malformed escape leads nowhere. */
function decodePath(path: string): string {
  try {
    return decodeURIComponent(path.replaceAll(/%2f/gi, '%252F'))
  } catch {
    return path
  }
}

import type { IncomingMessage } from 'node:http'

/** Express and Connect cut the prefix of a mount off `url`, and store the whole target in `originalUrl`. */
type MountedRequest = IncomingMessage & { readonly originalUrl?: string }

/** Returns the request target as the client sent it. */
export function targetOf(req: MountedRequest): string {
  return req.originalUrl ?? req.url ?? ''
}

/** Describes why a mount can never match, as far as one of its requests shows it. */
export function mountProblem(req: MountedRequest, basePath: string): string | undefined {
  const prefix = prefixOf(req)
  if (prefix === '' || isBelow(basePath, prefix) || isBelow(prefix, basePath)) return undefined
  return `The service is mounted under ${prefix}, but its basePath is "${basePath}": no request can match. \
Set basePath to the path that clients see, such as "${prefix}${basePath}".`
}

function prefixOf({ url = '', originalUrl = url }: MountedRequest): string {
  const [whole, rest] = [pathOf(originalUrl), pathOf(url)]
  if (rest === '/') return whole.replace(/\/$/, '')
  return whole.endsWith(rest) ? whole.slice(0, -rest.length) : ''
}

function pathOf(target: string): string {
  return target.split('?', 1)[0] ?? ''
}

/** Whether a path equals another or continues it. Frameworks ignore case in a prefix. */
function isBelow(path: string, other: string): boolean {
  return `${path}/`.toLowerCase().startsWith(`${other}/`.toLowerCase())
}

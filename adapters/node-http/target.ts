import type { IncomingMessage } from 'node:http'
import { Misuse } from '../../core/internal.ts'

/** Express and Connect cut the prefix of a mount off `url`, and store the whole target in `originalUrl`. */
type MountedRequest = IncomingMessage & { readonly originalUrl?: string }

/** Returns the request target as the client sent it. */
export function targetOf(req: MountedRequest): string {
  return req.originalUrl ?? req.url ?? ''
}

/** Returns a function that reports once that a mount can never match. Call it with requests that do not match. */
export function createMountCheck(basePath: string, report: (cause: Error) => void) {
  let isReported = false
  return ({ url = '', originalUrl = url }: MountedRequest): void => {
    const prefix = originalUrl.endsWith(url) ? originalUrl.slice(0, -url.length) : ''
    if (isReported || isBelow(basePath, prefix) || isBelow(prefix, basePath)) return
    isReported = true
    const problem = `The service is mounted under ${prefix}, but its basePath is "${basePath}": no request can match.`
    report(
      new Misuse(`${problem} Set basePath to the path that clients see, such as "${prefix}${basePath}".`),
    )
  }
}

/** Whether a path equals another or continues it. Frameworks ignore case in a prefix. */
function isBelow(path: string, other: string): boolean {
  return `${path}/`.toLowerCase().startsWith(`${other}/`.toLowerCase())
}

import type { Operation } from './operation.ts'

/** When `getPet` was deprecated by default: 2026-11-20, in seconds since the epoch. */
export const defaultDeprecatedSince = 1_795_132_800

/**
 * Creates the headers for a deprecated operation, as name and value pairs: `Deprecation` (RFC 9745), `Sunset` (RFC
 * 8594) and a `Link` to the successor. Returns an empty array for other operations.
 *
 * @param since - When the operation was deprecated, in seconds since the epoch.
 */
export function createDeprecationHeaders(
  { deprecated }: Operation,
  basePath: string,
  since: number,
): readonly (readonly [name: string, value: string])[] {
  if (!deprecated) return []
  return [
    ['Deprecation', `@${since}`],
    ['Sunset', new Date(deprecated.removal).toUTCString()],
    ['Link', `<${basePath}${deprecated.successor}>; rel="successor-version"`],
  ]
}

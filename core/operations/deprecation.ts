import type { Operation } from './operation.ts'

/** 20 November 2026, 00:00 UTC, in Unix seconds: the date of the specification that deprecates getPet. */
export const defaultDeprecatedSince = 1_795_132_800

/**
 * Returns the headers of every response of a deprecated operation, as pairs; none for another operation. `since` is in
 * Unix seconds (RFC 9745). The date of removal becomes `Sunset` (RFC 8594).
 */
export function createDeprecationFields(
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

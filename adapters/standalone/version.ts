import { createRequire } from 'node:module'

/** Returns the version of the package. */
export function version(): string {
  return createRequire(import.meta.url)('pet-adoption-service/package.json').version
}

import { readFileSync } from 'node:fs'

/**
 * Reads a file in this package. `path` is relative to the package folder. `require` would search other folders, which a
 * runtime with permissions may deny.
 */
export function readPackageFile(path: string): string {
  return readFileSync(new URL(path, import.meta.resolve('pet-adoption-service/package.json')), 'utf8')
}

/** Returns the package's version. */
export function readVersion(): string {
  return JSON.parse(readPackageFile('package.json')).version
}

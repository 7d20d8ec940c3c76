import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './parts.ts'

interface PackageManifest {
  readonly name: string
  readonly files: readonly string[]
  readonly bin: Readonly<Record<string, string>>
  readonly exports: Readonly<Record<string, string>>
}

/** Reads a file in the repository. */
export const readText = (path: string): string => readFileSync(join(root, path), 'utf8')

export const manifest: PackageManifest = JSON.parse(readText('package.json'))
/** The package's entry points, with the path of each module. */
export const entries: readonly (readonly [entry: string, path: string])[] = Object.entries(
  manifest.exports,
).filter(([, path]) => path.endsWith('.js'))

const excludedNames = /^(?:node_modules|testing|examples)$|\.test\.ts$/

/**
 * Lists the source files in a folder, without tests and examples. Symbolic links are not followed, because some point
 * to the root.
 */
export function listSources(folder: string): readonly string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`
    if (excludedNames.test(entry.name)) return []
    if (entry.isDirectory()) return listSources(path)
    return path.endsWith('.ts') ? [path] : []
  })
}

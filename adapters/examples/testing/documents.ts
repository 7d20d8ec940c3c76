import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './parts.ts'

interface PackageManifest {
  readonly name: string
  readonly files: readonly string[]
  readonly bin: Readonly<Record<string, string>>
  readonly exports: Readonly<Record<string, string>>
}

/** Returns the text of a file of the project. */
export const readText = (path: string): string => readFileSync(join(root, path), 'utf8')

export const manifest: PackageManifest = JSON.parse(readText('package.json'))
/** The entries of the package that are modules, with their paths. */
export const entries: readonly (readonly [entry: string, path: string])[] = Object.entries(
  manifest.exports,
).filter(([, path]) => path.endsWith('.js'))

const isLeftOut = /^(?:node_modules|testing|examples)$|\.test\.ts$/

/** Returns the sources below a folder, but tests and examples. Follows no link: some packages link to the root. */
export function sourcesIn(folder: string): readonly string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`
    if (isLeftOut.test(entry.name)) return []
    if (entry.isDirectory()) return sourcesIn(path)
    return path.endsWith('.ts') ? [path] : []
  })
}

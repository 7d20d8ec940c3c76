// Which files belong to the package.
import { readFileSync } from 'node:fs'
import { join, posix } from 'node:path'

const specifiers = /(?:\bfrom\s+|\bimport\s+|\bimport\()['"](\.[^'"]+)['"]/g

function resolveFile(from, specifier) {
  const path = posix.join(posix.dirname(from), specifier)
  return from.endsWith('.d.ts') ? path.replace(/\.js$/, '.d.ts') : path
}

/** Modules of the suite have no source maps: they are their sources without types. */
export function hasMap(path) {
  return path.endsWith('.js') && !path.startsWith('dist/conformance/')
}

/**
 * Returns the built files that the package's entries and programs import, directly or not, with their declarations.
 *
 * @throws Error if an imported file is missing
 */
export function reachable(folder) {
  const { exports, bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const entries = Object.values(exports)
    .map((path) => posix.normalize(path))
    .filter((path) => path.endsWith('.js'))
  const programs = Object.values(bin).map((path) => posix.normalize(path))
  const found = new Set()
  const queue = [...entries, ...entries.map((path) => path.replace(/\.js$/, '.d.ts')), ...programs]
  for (let path = queue.pop(); path !== undefined; path = queue.pop()) {
    if (found.has(path)) continue
    found.add(path)
    if (hasMap(path)) found.add(`${path}.map`)
    const text = readFileSync(join(folder, path), 'utf8')
    for (const [, specifier] of text.matchAll(specifiers)) queue.push(resolveFile(path, specifier))
  }
  return found
}

/** Returns the paths that `files` in package.json adds to the build. */
export function documents(folder) {
  const { files } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  return ['package.json', 'README.md', ...files.filter((path) => path !== 'dist')]
}

export function manuals(folder) {
  return documents(folder).filter((path) => path.endsWith('.md'))
}

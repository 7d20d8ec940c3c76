// The files of the package: its manuals, alert rules and dashboard, and the modules, declarations and source maps that
// a user can reach from its entries and programs.
import { readFileSync } from 'node:fs'
import { join, posix } from 'node:path'

const specifiers = /(?:\bfrom\s+|\bimport\s+|\bimport\()['"](\.[^'"]+)['"]/g

/** Returns the file of an import: of a declaration, the declaration of the module. */
function resolveFile(from, specifier) {
  const path = posix.join(posix.dirname(from), specifier)
  return from.endsWith('.d.ts') ? path.replace(/\.js$/, '.d.ts') : path
}

/** Returns true if a module has a source map. Modules of the suite have none: they are their sources without types. */
export function hasMap(path) {
  return path.endsWith('.js') && !path.startsWith('dist/conformance/')
}

/** Returns their paths from the package's folder, with slashes. Throws if an import names a file that is not there. */
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

/** Returns the paths of the files that a user reads or gives to other programs, from the package's folder. */
export function documents(folder) {
  const { files } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  return ['package.json', 'README.md', ...files.filter((path) => path !== 'dist')]
}

/** Returns the paths of the manuals from the package's folder: README.md, and the manuals in `files`. */
export function manuals(folder) {
  return documents(folder).filter((path) => path.endsWith('.md'))
}

import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const sources = ['core', 'adapters', 'conformance', '.ci'].flatMap(listSources)

function listSources(folder: string): readonly string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`
    if (entry.isDirectory())
      return entry.name === 'node_modules' || entry.name === 'dist' ? [] : listSources(path)
    return /\.m?ts$|\.mjs$/.test(path) ? [path] : []
  })
}

/** Examples in doc comments have imports too. */
const docComment = /^ *\/\*\*[\s\S]*?\*\/$/gm

const importStatement =
  /^(?:import|export)\s(?:[^'"]*?\sfrom\s+)?['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]\s*\)/gm

/** Imports by source file. */
const importGraph = new Map(
  sources.map((path) => {
    const sourceText = readFileSync(join(root, path), 'utf8').replaceAll(docComment, '')
    const importedNames = [...sourceText.matchAll(importStatement)].map(
      ([, plain, dynamic]) => plain ?? dynamic ?? '',
    )
    return [
      path,
      importedNames.map((name) => (name.startsWith('.') ? posix.join(path, '..', name) : name)),
    ] as const
  }),
)

const isForDevelopment = (path: string) => /\.test\.ts$|\/(?:testing|examples)\/|^\.ci\//.test(path)
const topFolder = (path: string) => path.split('/')[0] ?? ''
/** Returns an adapter's folder name, such as `fetch`. */
const parseAdapter = (path: string) => /^adapters\/([^/.]+)/.exec(path)?.[1]

/** Returns the adapters that an adapter may import. */
const listSharedAdapters = (adapter: string | undefined) => [
  adapter,
  'event-loop',
  'backend',
  'sql',
  ...(adapter === 'fastify' ? ['node-http'] : []),
  ...(adapter === 'next' ? ['fetch'] : []),
]

function listViolations(breaks: (path: string, imported: string) => boolean): readonly string[] {
  return [...importGraph].flatMap(([path, imports]) =>
    imports.filter((imported) => breaks(path, imported)).map((imported) => `${path} -> ${imported}`),
  )
}

/** Returns all files that a file imports, directly or indirectly. */
function listReachable(start: string): readonly string[] {
  const reachedFiles = new Set([start])
  for (const path of reachedFiles)
    for (const imported of importGraph.get(path) ?? []) reachedFiles.add(imported)
  return [...reachedFiles]
}

/** The files in core that other folders may import. */
const coreEntries = [
  'core/index.ts',
  'core/limiter.ts',
  'core/openapi.ts',
  'core/internal.ts',
  'core/to-json.ts',
]

/** Each rule has a function that returns whether an import violates it. */
const rules: Readonly<Record<string, (path: string, imported: string) => boolean>> = {
  'of core are limited to core': (path, imported) =>
    topFolder(path) === 'core' &&
    topFolder(imported) !== 'core' &&
    !(isForDevelopment(path) && /^(?:node:|ajv\/|fast-check$)/.test(imported)),
  'of an adapter are limited to core, node: and shared adapters': (path, imported) => {
    if (topFolder(path) !== 'adapters' || isForDevelopment(path)) return false
    if (coreEntries.includes(imported) || imported.startsWith('node:')) return false
    const otherAdapter = parseAdapter(imported)
    return (
      !otherAdapter ||
      !(listSharedAdapters(parseAdapter(path)).includes(otherAdapter) || parseAdapter(path) === 'standalone')
    )
  },
  'of conformance are limited to conformance': (path, imported) =>
    topFolder(path) === 'conformance' &&
    !isForDevelopment(path) &&
    topFolder(imported) !== 'conformance' &&
    !imported.startsWith('node:'),
  'of the package include no tests and no other package': (path, imported) =>
    !isForDevelopment(path) &&
    (isForDevelopment(imported) || !(importGraph.has(imported) || imported.startsWith('node:'))),
}

describe('imports', () => {
  for (const [rule, breaks] of Object.entries(rules))
    it(`${rule}`, () => assert.deepEqual(listViolations(breaks), []))

  it('in the client are limited to the client and toJson', () => {
    const otherAdapterFiles = listReachable('adapters/client/index.ts').filter(
      (path) => parseAdapter(path) !== 'client',
    )
    assert.deepEqual(otherAdapterFiles, ['core/to-json.ts'])
  })

  it('have no cycles', () => {
    const onCycle = sources.filter((path) =>
      importGraph.get(path)?.some((imported) => listReachable(imported).includes(path)),
    )
    assert.deepEqual(onCycle, [])
  })
})

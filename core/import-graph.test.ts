import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const sources = ['core', 'adapters', 'conformance', '.ci'].flatMap(sourcesIn)

/** Every source below a folder, by its path from the root; what is installed there is not followed. */
function sourcesIn(folder: string): readonly string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`
    if (entry.isDirectory())
      return entry.name === 'node_modules' || entry.name === 'dist' ? [] : sourcesIn(path)
    return /\.m?ts$|\.mjs$/.test(path) ? [path] : []
  })
}

/** Examples in comments import the package by its name. */
const docComment = /^ *\/\*\*[\s\S]*?\*\/$/gm

const statement =
  /^(?:import|export)\s(?:[^'"]*?\sfrom\s+)?['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]\s*\)/gm

/** The standalone server has the types of its drivers, which are erased. */
const driverTypes = /^import type .* from '(?:pg|ioredis)'$/gm

/** The imports of each file: relative ones as paths from the root, others as they are written. */
const graph = new Map(
  sources.map((path) => {
    const source = readFileSync(join(root, path), 'utf8').replaceAll(docComment, '')
    const text = path.startsWith('adapters/standalone/') ? source.replaceAll(driverTypes, '') : source
    const named = [...text.matchAll(statement)].map(([, plain, dynamic]) => plain ?? dynamic ?? '')
    return [path, named.map((name) => (name.startsWith('.') ? posix.join(path, '..', name) : name))] as const
  }),
)

/** Tests with their helpers, tools and examples. They are not part of the package. */
const isForDevelopment = (path: string) => /\.test\.ts$|\/(?:testing|examples)\/|^\.ci\//.test(path)
const topFolder = (path: string) => path.split('/')[0] ?? ''
/** The adapter that a file is or belongs to: `adapters/redis.ts` and `adapters/redis/` are one. */
const parseAdapter = (path: string) => /^adapters\/([^/.]+)/.exec(path)?.[1]

/** The adapters that an adapter may import: itself and the shared ones. */
const sharedWith = (adapter: string | undefined) => [
  adapter,
  'event-loop',
  'circuit-breaker',
  ...(adapter === 'sqlite' || adapter === 'postgres' ? ['sql'] : []),
]

/** Every import that breaks a rule, as `importer -> imported`. */
function offences(breaks: (path: string, imported: string) => boolean): readonly string[] {
  return [...graph].flatMap(([path, imports]) =>
    imports.filter((imported) => breaks(path, imported)).map((imported) => `${path} -> ${imported}`),
  )
}

/** Every source that a source imports, directly or through others. */
function reachableFrom(start: string): readonly string[] {
  const reached = new Set([start])
  for (const path of reached) for (const imported of graph.get(path) ?? []) reached.add(imported)
  return [...reached]
}

/** The modules of core that the rest of the package may import. */
const coreEntries = [
  'core/index.ts',
  'core/limiter.ts',
  'core/openapi.ts',
  'core/internal.ts',
  'core/to-json.ts',
]

/** Imports that are forbidden, as a predicate for each rule. */
const rules: Readonly<Record<string, (path: string, imported: string) => boolean>> = {
  'leads from core only to core': (path, imported) =>
    topFolder(path) === 'core' &&
    topFolder(imported) !== 'core' &&
    !(isForDevelopment(path) && /^(?:node:|ajv\/|fast-check$)/.test(imported)),
  'leads from an adapter only to core, node:, shared adapters and itself': (path, imported) => {
    if (topFolder(path) !== 'adapters' || isForDevelopment(path)) return false
    if (coreEntries.includes(imported) || imported.startsWith('node:')) return false
    const other = parseAdapter(imported)
    return !other || !(sharedWith(parseAdapter(path)).includes(other) || parseAdapter(path) === 'standalone')
  },
  'leads from conformance neither to core nor to an adapter': (path, imported) =>
    topFolder(path) === 'conformance' &&
    !isForDevelopment(path) &&
    topFolder(imported) !== 'conformance' &&
    !imported.startsWith('node:'),
  'leads from the package neither to its tests nor to another package': (path, imported) =>
    !isForDevelopment(path) &&
    (isForDevelopment(imported) || !(graph.has(imported) || imported.startsWith('node:'))),
}

describe('the import graph', () => {
  for (const [rule, breaks] of Object.entries(rules))
    it(`${rule}`, () => assert.deepEqual(offences(breaks), []))

  it('leads from the client only to itself and to toJson', () => {
    const others = reachableFrom('adapters/client/index.ts').filter((path) => parseAdapter(path) !== 'client')
    assert.deepEqual(others, ['core/to-json.ts'])
  })

  it('has no cycles', () => {
    const onCycle = sources.filter((path) =>
      graph.get(path)?.some((imported) => reachableFrom(imported).includes(path)),
    )
    assert.deepEqual(onCycle, [])
  })
})

// Finishes what tsc has written to `dist/`.
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildSync } from 'esbuild'
import { reachable } from './reachable.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
const relativeSource = /(['"])(\.[^'"]+)\.ts\1/g
const paths = readdirSync(join(root, 'dist'), { recursive: true })
  .map((name) => join('dist', name))
  .filter((path) => statSync(join(root, path)).isFile())

/** Declarations name each other by their sources, which only tsc understands: Deno looks for these files. */
for (const path of paths.filter((path) => path.endsWith('.d.ts'))) {
  const text = readFileSync(join(root, path), 'utf8')
  writeFileSync(join(root, path), text.replaceAll(relativeSource, '$1$2.js$1'))
}

/** Bundles core into its entries and the chunks that they share: one by one, its modules took Node five times as long to load. */
buildSync({
  absWorkingDir: root,
  entryPoints: ['index', 'internal', 'limiter', 'openapi'].map((name) => `dist/core/${name}.js`),
  outdir: 'dist/core',
  allowOverwrite: true,
  bundle: true,
  splitting: true,
  chunkNames: 'shared-[hash]',
  format: 'esm',
  platform: 'neutral',
  logLevel: 'warning',
})

/** Inner modules, and their declarations, are of no use to anybody. */
const needed = reachable(root)
for (const path of paths) if (!needed.has(path)) rmSync(join(root, path))

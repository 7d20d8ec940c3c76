// Finishes the files that tsc has written to `dist/`.
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

/** In declarations tsc leaves the imports of `.ts` files as they are. Deno looks for the files that they name. */
for (const path of paths.filter((path) => path.endsWith('.d.ts'))) {
  const text = readFileSync(join(root, path), 'utf8')
  writeFileSync(join(root, path), text.replaceAll(relativeSource, '$1$2.js$1'))
}

/** Bundles core into its entries and one shared file: Node takes five times as long to load its modules one by one. */
buildSync({
  absWorkingDir: root,
  entryPoints: ['dist/core/index.js', 'dist/core/openapi.js'],
  outdir: 'dist/core',
  allowOverwrite: true,
  bundle: true,
  splitting: true,
  chunkNames: 'shared',
  format: 'esm',
  platform: 'neutral',
  sourcemap: true, // each map that tsc has written is read, so that these lead to the TypeScript too
  logLevel: 'warning',
})

/** Removes the modules of core that the bundle replaces, and the declarations that no entry reaches. */
const needed = reachable(root)
for (const path of paths) if (!needed.has(path)) rmSync(join(root, path))

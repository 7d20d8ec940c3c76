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

const core = join(root, 'dist/core')
const bundling = {
  absWorkingDir: root,
  bundle: true,
  format: 'esm',
  platform: 'neutral',
  logLevel: 'warning',
}
/** The entries that lead to one bundle: module by module, core took Node five times as long to load. */
const entries = ['index', 'internal', 'limiter']

const exportsOf = (entry) => {
  const options = { ...bundling, entryPoints: [`dist/core/${entry}.js`], write: false, metafile: true }
  return Object.values(buildSync(options).metafile.outputs)[0].exports
}
const names = Object.fromEntries(entries.map((entry) => [entry, exportsOf(entry)]))
/** The description stays apart: a service does not need it to run. It finds the rest of core by its entries. */
buildSync({
  ...bundling,
  entryPoints: ['dist/core/openapi.js'],
  outdir: 'dist/core',
  external: entries.map((entry) => join(core, `${entry}.js`)),
  allowOverwrite: true,
})
const contents = entries.map((entry) => `export * from './${entry}.js'\n`).join('')
buildSync({ ...bundling, stdin: { contents, resolveDir: core }, outfile: 'dist/core/bundle.js' })
for (const entry of entries)
  writeFileSync(join(core, `${entry}.js`), `export { ${names[entry].join(', ')} } from './bundle.js'\n`)

/** Inner modules, and their declarations, are of no use to anybody. */
const needed = reachable(root)
for (const path of paths) if (!needed.has(path)) rmSync(join(root, path))

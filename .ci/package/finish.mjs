// Finishes the files that tsc has written to `dist/`.
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, join, posix, sep } from 'node:path'
import { buildSync } from 'esbuild'
import { root } from '../command.mjs'
import { hasMap, reachable } from './reachable.mjs'

const relativeSource = /(['"])(\.[^'"]+)\.ts\1/g
const statement = /^(?:import|export) [^;]*? from ['"](\.[^'"]+)\.js['"]/gm
const paths = readdirSync(join(root, 'dist'), { recursive: true })
  .map((name) => posix.join('dist', ...name.split(sep)))
  .filter((path) => statSync(join(root, path)).isFile())

/**
 * In declarations tsc leaves the imports of `.ts` files as they are. Deno looks for those files, but a bundle replaces
 * some of them, so a comment leads it to the declarations.
 */
for (const path of paths.filter((path) => path.endsWith('.d.ts'))) {
  const text = readFileSync(join(root, path), 'utf8').replaceAll(relativeSource, '$1$2.js$1')
  writeFileSync(join(root, path), text.replaceAll(statement, '// @ts-types="$1.d.ts"\n$&'))
}

const core = join(root, 'dist/core')
const bundling = {
  absWorkingDir: root,
  bundle: true,
  format: 'esm',
  platform: 'neutral',
  sourcemap: true, // each map that tsc has written is read, so that these lead to the TypeScript too
  logLevel: 'warning',
}
/** The entries that lead to one bundle: module by module, core took Node five times as long to load. */
const entries = ['index', 'internal', 'limiter']

const readExports = (entry) => {
  const options = { ...bundling, entryPoints: [`dist/core/${entry}.js`], write: false, metafile: true }
  return Object.values(buildSync(options).metafile.outputs)[0].exports
}
const names = Object.fromEntries(entries.map((entry) => [entry, readExports(entry)]))
/**
 * The description has a separate file: a service does not need it to run. It imports the rest of core from its entries.
 */
buildSync({
  ...bundling,
  entryPoints: ['dist/core/openapi.js'],
  outdir: 'dist/core',
  external: entries.map((entry) => `./dist/core/${entry}.js`), // esbuild takes C:\\… for the name of a package
  allowOverwrite: true,
})
const contents = entries.map((entry) => `export * from './${entry}.js'\n`).join('')
buildSync({ ...bundling, stdin: { contents, resolveDir: core }, outfile: 'dist/core/bundle.js' })
for (const entry of entries)
  writeFileSync(join(core, `${entry}.js`), `export { ${names[entry].join(', ')} } from './bundle.js'\n`)

/**
 * One file for the modules that every start of the server loads, and one for each group that it may load later. With
 * one file per module, Node took 50 % longer to start.
 */
buildSync({
  ...bundling,
  entryPoints: ['dist/adapters/standalone/main.js'],
  outdir: 'dist/adapters/standalone',
  chunkNames: 'parts/[name]-[hash]',
  platform: 'node',
  packages: 'external',
  splitting: true,
  allowOverwrite: true,
})

/** Removes the modules that a bundle replaces, and the declarations that no entry reaches. */
const needed = reachable(root)
for (const path of paths) if (!needed.has(path)) rmSync(join(root, path))

for (const path of needed) {
  if (!path.endsWith('.js')) continue
  const text = readFileSync(join(root, path), 'utf8')
  const types = path.replace(/\.js$/, '.d.ts')
  // if an import map leads to a file, Deno finds its types by this comment; on a separate line it would shift the
  // source map
  const first = needed.has(types) ? `/* @ts-self-types="./${basename(types)}" */ ` : ''
  writeFileSync(
    join(root, path),
    first + (hasMap(path) ? text : text.replace(/\/\/# sourceMappingURL=.*\n?$/, '')),
  )
}

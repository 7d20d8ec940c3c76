// Finishes a build: bundles core and the standalone server, points declarations to each other, and removes files that
// no entry needs.
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
 * tsc leaves imports of `.ts` files in declarations. Deno would follow imports of `.js` files, but bundles replace some,
 * so a comment points Deno to the declarations.
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
  sourcemap: true, // maps of tsc are followed, so these point to the TypeScript sources
  logLevel: 'warning',
}
/** Entries that share one bundle. Node takes 5 times as long to load core from separate modules. */
const entries = ['index', 'internal', 'limiter']

const readExports = (entry) => {
  const options = { ...bundling, entryPoints: [`dist/core/${entry}.js`], write: false, metafile: true }
  return Object.values(buildSync(options).metafile.outputs)[0].exports
}
const names = Object.fromEntries(entries.map((entry) => [entry, readExports(entry)]))
/** The description of the interface is large, and few programs import it: it gets its own bundle. */
buildSync({
  ...bundling,
  entryPoints: ['dist/core/openapi.js'],
  outdir: 'dist/core',
  external: entries.map((entry) => `./dist/core/${entry}.js`), // esbuild takes C:\\… for a package's name
  allowOverwrite: true,
})
const contents = entries.map((entry) => `export * from './${entry}.js'\n`).join('')
buildSync({ ...bundling, stdin: { contents, resolveDir: core }, outfile: 'dist/core/bundle.js' })
for (const entry of entries)
  writeFileSync(join(core, `${entry}.js`), `export { ${names[entry].join(', ')} } from './bundle.js'\n`)

/** Without a bundle, Node takes 50 % longer to start the server. Splitting keeps what is loaded on demand apart. */
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

const needed = reachable(root)
for (const path of paths) if (!needed.has(path)) rmSync(join(root, path))

for (const path of needed) {
  if (!path.endsWith('.js')) continue
  const text = readFileSync(join(root, path), 'utf8')
  const types = path.replace(/\.js$/, '.d.ts')
  // Deno finds the types by this comment if an import map points to the file. On a separate line it would shift the
  // source map.
  const first = needed.has(types) ? `/* @ts-self-types="./${basename(types)}" */ ` : ''
  writeFileSync(
    join(root, path),
    first + (hasMap(path) ? text : text.replace(/\/\/# sourceMappingURL=.*\n?$/, '')),
  )
}

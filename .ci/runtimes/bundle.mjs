// Bundles the test files, which import the sources, into files that import the built package.
import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { root } from '../command.mjs'

const here = fileURLToPath(new URL('.', import.meta.url))
const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))

/** The entries of the package, by their sources. */
const entries = new Map(
  Object.entries(manifest.exports).map(([entry, target]) => [
    target.replace('./dist/', '').replace(/\.js$/, '.ts'),
    entry.replace('.', manifest.name),
  ]),
)

const fromThePackage = {
  name: 'from-the-package',
  setup({ onResolve, resolve }) {
    onResolve({ filter: /^\..*\.ts$/ }, ({ path, kind, resolveDir }) => {
      const entry = entries.get(relative(root, join(resolveDir, path)))
      return entry && resolve(entry, { kind, resolveDir: here })
    })
  },
}

const common = {
  absWorkingDir: here,
  bundle: true,
  format: 'esm',
  outdir: 'dist',
  outExtension: { '.js': '.mjs' },
  outbase: root,
  plugins: [fromThePackage],
}

/** Writes the bundles to `dist/`. The worker becomes a single file with all its imports. */
export async function bundle(suites) {
  const options = { platform: 'node', packages: 'external' }
  await build({ ...common, ...options, entryPoints: [...suites, 'workerd.mjs'] })
  await build({
    ...common,
    entryPoints: ['worker.mjs'],
    platform: 'browser',
    conditions: ['workerd'],
    external: ['node:*', 'cloudflare:*'],
  })
}

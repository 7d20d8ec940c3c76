// Bundles the test files, which import the sources, into files that import the built package.
import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { root } from '../command.mjs'

const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))

/** The names of the package's entries, by their sources. */
const entries = new Map(
  Object.entries(manifest.exports).map(([entry, target]) => [
    target.replace('./dist/', '').replace(/\.js$/, '.ts'),
    entry.replace('.', manifest.name),
  ]),
)

/** The entry of core exports what other modules of it provide to the outside. */
const isCore = (path) => path.startsWith('core/') && !path.startsWith('core/testing/')

const fromThePackage = {
  name: 'from-the-package',
  setup({ onResolve, resolve }) {
    onResolve({ filter: /^\..*\.ts$/ }, async ({ path, kind, resolveDir, pluginData }) => {
      if (pluginData === 'again') return undefined
      const found = await resolve(path, { kind, resolveDir, pluginData: 'again' })
      const source = relative(root, found.path)
      const entry = entries.get(source) ?? (isCore(source) ? manifest.name : undefined)
      if (entry === undefined) return found
      return resolve(entry, { kind, resolveDir: fileURLToPath(new URL('.', import.meta.url)) })
    })
  },
}

const common = {
  absWorkingDir: fileURLToPath(new URL('.', import.meta.url)),
  bundle: true,
  format: 'esm',
  outdir: 'dist',
  outExtension: { '.js': '.mjs' },
  plugins: [fromThePackage],
}

/** Writes the bundles to `dist/`. The worker becomes a single file with all its imports. */
export async function bundle(suites) {
  await build({
    ...common,
    entryPoints: [...suites, 'workerd.mjs'],
    platform: 'node',
    external: [
      `${manifest.name}*`,
      'bun',
      'bun:*',
      'miniflare',
      'pg',
      'postgres',
      '@electric-sql/pglite',
      'redis',
    ],
  })
  await build({
    ...common,
    entryPoints: ['worker.mjs'],
    platform: 'browser',
    conditions: ['workerd'],
    external: ['node:*', 'cloudflare:*'],
  })
}

// Measures the time of an import of core, and how much core and the client add to a bundle.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { brotliCompressSync } from 'node:zlib'
import { build } from 'esbuild'
import { run } from '../command.mjs'

/** Maximum number of bytes of an entry, by its module. */
const maxBytes = { 'core/index.js': 14_000, 'adapters/client/index.js': 4_000 }
const longestImportMs = 10
/** The fastest attempt counts, since a busy machine slows others. */
const attempts = 40

/** Returns the sizes, bundled for a browser, minified and compressed. Throws if one is too large. */
export async function checkSizes({ unpacked }) {
  const options = { bundle: true, minify: true, write: false, format: 'esm', platform: 'browser' }
  const sizes = []
  for (const [path, max] of Object.entries(maxBytes)) {
    const { outputFiles } = await build({ ...options, entryPoints: [join(unpacked, 'dist', path)] })
    const size = brotliCompressSync(outputFiles[0].contents).length
    sizes.push(`${path} is ${size} bytes of at most ${max}`)
    if (size > max) throw new Error(sizes.at(-1))
  }
  return sizes.join(', ')
}

/** The bound on a slow machine. */
const timesEmpty = 2.5

/**
 * Returns how long the import of core takes in a new process. Throws if it takes longer than 10 ms, and longer than 2.5
 * times an empty file: on a slow machine, that one alone takes 8 ms.
 */
export async function checkImportTime({ unpacked }) {
  const emptyFile = join(unpacked, '../empty.mjs')
  writeFileSync(emptyFile, '')
  const fastest = { core: Number.POSITIVE_INFINITY, empty: Number.POSITIVE_INFINITY }
  for (let attempt = 0; attempt < attempts; attempt++) {
    fastest.core = Math.min(fastest.core, await measureTime(join(unpacked, 'dist/core/index.js')))
    fastest.empty = Math.min(fastest.empty, await measureTime(emptyFile))
  }
  const figure = `${fastest.core.toFixed(1)} ms, an empty file ${fastest.empty.toFixed(1)} ms`
  if (fastest.core > Math.max(longestImportMs, timesEmpty * fastest.empty))
    throw new Error(`the import of core takes ${figure}`)
  return figure
}

async function measureTime(path) {
  const url = JSON.stringify(pathToFileURL(path).href)
  const program = `const begin = performance.now(); await import(${url}); console.log(performance.now() - begin)`
  return Number(await run(process.execPath, ['--input-type=module', '-e', program]))
}

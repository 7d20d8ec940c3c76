// Measures the time of an import of core, and how much core and the client add to a bundle.
import { brotliCompressSync } from 'node:zlib'
import { build } from 'esbuild'
import { run } from '../command.mjs'

/** The most bytes of an entry, by its name. */
const maxBytes = { core: 14_000, client: 4_000 }
const longestImportMs = 10
/** The fastest attempt counts, because a busy machine makes others slower. There are more attempts while none is fast enough. */
const attempts = 20
const maxAttempts = 100

/** Returns the size in bytes of the module at a path, bundled for a browser, minified and compressed. Throws if it is too large. */
export async function sizeOf(name, path) {
  const options = { bundle: true, minify: true, write: false, format: 'esm', platform: 'browser' }
  const { outputFiles } = await build({ ...options, entryPoints: [path] })
  const size = brotliCompressSync(outputFiles[0].contents).length
  if (size > maxBytes[name])
    throw new Error(`${name} is ${size} bytes, bundled and compressed: at most ${maxBytes[name]}`)
  return size
}

const empty = new URL('empty.mjs', import.meta.url).href
const timesEmpty = 2.5

/**
 * Returns how many milliseconds the import of a module takes in a new process. Throws if it takes longer than 10 ms, and
 * longer than 2.5 times an empty module: on a slow machine, that one alone takes 8 ms.
 */
export async function importTimeOf(url) {
  const fastest = { module: Number.POSITIVE_INFINITY, empty: Number.POSITIVE_INFINITY }
  const longest = () => Math.max(longestImportMs, timesEmpty * fastest.empty)
  for (let attempt = 0; attempt < (fastest.module > longest() ? maxAttempts : attempts); attempt++) {
    fastest.module = Math.min(fastest.module, await timeOf(url))
    fastest.empty = Math.min(fastest.empty, await timeOf(empty))
  }
  if (fastest.module > longest())
    throw new Error(
      `the import of core takes ${fastest.module.toFixed(1)} ms: at most ${longest().toFixed(1)}, as an empty module takes ${fastest.empty.toFixed(1)}`,
    )
  return fastest.module
}

async function timeOf(url) {
  const program = `const begin = performance.now(); await import(${JSON.stringify(url)}); console.log(performance.now() - begin)`
  return Number(await run(process.execPath, ['--input-type=module', '-e', program]))
}

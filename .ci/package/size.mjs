// Measures the time of an import of core, and how much core adds to a bundle.
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { run } from '../command.mjs'

const maxBytes = 14_000
const longestImportMs = 10
/** The fastest attempt counts, because a busy machine makes others slower. There are more attempts while none is fast enough. */
const attempts = 20
const maxAttempts = 100

/** Returns the size in bytes of the module at a path, bundled, minified and compressed. Throws if it is too large. */
export async function sizeOf(path) {
  const options = { bundle: true, minify: true, write: false, format: 'esm', platform: 'neutral' }
  const { outputFiles } = await build({ ...options, entryPoints: [path] })
  const size = gzipSync(outputFiles[0].contents, { level: 9 }).length
  if (size > maxBytes) throw new Error(`core is ${size} bytes, bundled and compressed: at most ${maxBytes}`)
  return size
}

/** Returns how many milliseconds the import of a module takes in a new process. Throws if it takes too long. */
export async function importTimeOf(url) {
  const program = `const begin = performance.now(); await import(${JSON.stringify(url)}); console.log(performance.now() - begin)`
  let fastest = Number.POSITIVE_INFINITY
  for (let attempt = 0; attempt < (fastest > longestImportMs ? maxAttempts : attempts); attempt++) {
    const printed = await run(process.execPath, ['--input-type=module', '-e', program])
    fastest = Math.min(fastest, Number(printed))
  }
  if (fastest > longestImportMs)
    throw new Error(`the import of core takes ${fastest.toFixed(1)} ms: at most ${longestImportMs}`)
  return fastest
}

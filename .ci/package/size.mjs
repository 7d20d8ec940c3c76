// Checks the size of core and the client, and how long importing core takes.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { brotliCompressSync } from 'node:zlib'
import { build } from 'esbuild'
import { run } from '../command.mjs'

/** Maximum size of each entry, minified and compressed with Brotli. */
const maxBytes = { 'core/index.js': 14_336, 'adapters/client/index.js': 4_096 }
const maxImportMs = 10
/** Maximum import time, as a multiple of an empty file's. */
const maxImportRatio = 2.5
/** Other programs only add time, so the fastest attempt counts. */
const [minAttempts, maxAttempts] = [10, 40]

export async function checkSizes({ unpacked }) {
  const options = { bundle: true, minify: true, write: false, format: 'esm', platform: 'browser' }
  const sizes = []
  for (const [path, max] of Object.entries(maxBytes)) {
    const { outputFiles } = await build({ ...options, entryPoints: [join(unpacked, 'dist', path)] })
    const size = brotliCompressSync(outputFiles[0].contents).length
    sizes.push(`${path} has ${size} of at most ${max} bytes`)
    if (size > max) throw new Error(sizes.at(-1))
  }
  return sizes.join(', ')
}

/**
 * @throws Error if importing core takes more than 10 ms and 2.5 times as long as an empty file, which alone takes 8 ms
 * on a slow machine
 */
export async function checkImportTime({ unpacked }) {
  const emptyFile = join(unpacked, '../empty.mjs')
  writeFileSync(emptyFile, '')
  let [coreMs, emptyMs] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
  for (let attempt = 1; attempt <= maxAttempts; attempt++) {
    coreMs = Math.min(coreMs, await measureTime(join(unpacked, 'dist/core/index.js')))
    emptyMs = Math.min(emptyMs, await measureTime(emptyFile))
    if (attempt >= minAttempts && coreMs <= Math.max(maxImportMs, maxImportRatio * emptyMs))
      return `${coreMs.toFixed(1)} ms, an empty file ${emptyMs.toFixed(1)} ms`
  }
  throw new Error(`importing core takes ${coreMs.toFixed(1)} ms, an empty file ${emptyMs.toFixed(1)} ms`)
}

async function measureTime(path) {
  const url = JSON.stringify(pathToFileURL(path).href)
  const program = `const begin = performance.now(); await import(${url}); console.log(performance.now() - begin)`
  return Number(await run(process.execPath, ['--input-type=module', '-e', program]))
}

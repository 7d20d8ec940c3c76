// What core costs whoever embeds it: how long its import takes, and how much it adds to a bundle.
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { run } from '../command.mjs'

const maxBytes = 14_000
/** In milliseconds. */
const longestImport = 10
/** The quickest of so many counts: a busy machine only ever makes it slower. Of more, while none is quick enough. */
const attempts = 20
const patience = 100

/** The size of the bundled, minified and compressed module at a path, in bytes. Throws where it is too large. */
export async function sizeOf(path) {
  const options = { bundle: true, minify: true, write: false, format: 'esm', platform: 'neutral' }
  const { outputFiles } = await build({ ...options, entryPoints: [path] })
  const size = gzipSync(outputFiles[0].contents, { level: 9 }).length
  if (size > maxBytes) throw new Error(`core is ${size} bytes, bundled and compressed: at most ${maxBytes}`)
  return size
}

/** How many milliseconds the import of a module takes in a process of its own. Throws where it is too long. */
export async function importTimeOf(url) {
  const program = `const begin = performance.now(); await import(${JSON.stringify(url)}); console.log(performance.now() - begin)`
  let quickest = Number.POSITIVE_INFINITY
  for (let attempt = 0; attempt < (quickest > longestImport ? patience : attempts); attempt++) {
    const printed = await run(process.execPath, ['--input-type=module', '-e', program])
    quickest = Math.min(quickest, Number(printed))
  }
  if (quickest > longestImport)
    throw new Error(`the import of core takes ${quickest.toFixed(1)} ms: at most ${longestImport}`)
  return quickest
}

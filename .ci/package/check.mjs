// Judges the package as it is built and packed: what it holds, what publint and "are the types wrong" say of it, and
// what core costs whoever imports it.
// Exits with 1 and the findings where there are any.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { run } from '../command.mjs'
import { install } from '../install.mjs'
import { pack } from '../pack.mjs'
import { manuals, reachable } from './reachable.mjs'
import { importTimeOf, sizeOf } from './size.mjs'

const tool = (path) => fileURLToPath(new URL(`node_modules/${path}`, import.meta.url))

/** Everything that a user can reach, and nothing else. */
function checkContents({ paths }) {
  const wanted = new Set(['package.json', 'LICENSE', ...manuals(unpacked), ...reachable(unpacked)])
  const surplus = paths.filter((path) => !wanted.delete(path))
  if (surplus.length > 0) throw new Error(`the tarball holds what nobody needs:\n${surplus.join('\n')}`)
  if (wanted.size > 0) throw new Error(`the tarball lacks:\n${[...wanted].join('\n')}`)
}

/** Its suggestions count too, though it does not fail for them. */
async function checkPublint({ tarball }) {
  const findings = await run(process.execPath, [tool('publint/src/cli.js'), '--strict', tarball])
  if (!findings.includes('All good!')) throw new Error(`publint finds:\n${findings}`)
}

/** An editor shows the comment of a name. Examples and conditions of errors are looked for in the sources, which have bodies. */
async function checkComments() {
  const { incomplete, undocumented } = await import('./docs.mjs') // once its packages are installed
  const { exports } = JSON.parse(readFileSync(join(unpacked, 'package.json'), 'utf8'))
  const entries = Object.values(exports).filter((path) => path.endsWith('.js'))
  const names = undocumented(
    unpacked,
    entries.map((path) => path.replace(/\.js$/, '.d.ts')),
  )
  if (names.length > 0) throw new Error(`these exports have no comment:\n${names.join('\n')}`)
  const root = fileURLToPath(new URL('../..', import.meta.url))
  const sources = entries.map((path) => path.replace('./dist/', '').replace(/\.js$/, '.ts'))
  const lacking = incomplete(root, sources)
  if (lacking.length > 0) throw new Error(`the comments are not complete:\n${lacking.join('\n')}`)
}

async function checkTypes({ tarball }) {
  await run(process.execPath, [tool('@arethetypeswrong/cli/dist/index.js'), '--profile', 'esm-only', tarball])
}

const folder = mkdtempSync(join(tmpdir(), 'pet-adoption-package-'))
const unpacked = join(folder, 'package')
try {
  await install(new URL('.', import.meta.url))
  const packed = await pack(folder)
  await run('tar', ['-xzf', packed.tarball, '-C', folder]) // makes the folder `package`
  checkContents(packed)
  console.log(`ok      the package holds ${packed.paths.length} files, all of which a user can come to`)
  await checkPublint(packed)
  console.log('ok      publint finds nothing')
  await checkTypes(packed)
  console.log('ok      "are the types wrong" finds nothing')
  const core = join(unpacked, 'dist/core/index.js')
  console.log(`ok      core is ${await sizeOf(core)} bytes, bundled, minified and compressed`)
  const time = await importTimeOf(pathToFileURL(core).href)
  console.log(`ok      the import of core takes ${time.toFixed(1)} ms`)
  await checkComments()
  console.log('ok      every export has a comment, and every function an example')
} catch (error) {
  console.error(`the check of the package failed: ${error.message}`)
  process.exitCode = 1
} finally {
  rmSync(folder, { recursive: true })
}

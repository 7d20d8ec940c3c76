// Checks the package as it is built and packed, with publint and "are the types wrong"; then that a strict project compiles
// with every entry, the size of core and the client, and the import time of core.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { check, run } from '../command.mjs'
import { install } from '../install.mjs'
import { pack } from '../pack.mjs'
import { documents } from './reachable.mjs'
import { checkImportTime, checkSizes } from './size.mjs'

const tool = (path) => fileURLToPath(new URL(`node_modules/${path}`, import.meta.url))

/** Rejects if publint finds anything, or if a manual or data file of `files` is missing. */
async function lintPackage({ tarball, paths, unpacked }) {
  const missing = documents(unpacked).filter((path) => !paths.includes(path))
  if (missing.length > 0) throw new Error(`the tarball lacks:\n${missing.join('\n')}`)
  await run(process.execPath, [tool('publint/src/cli.js'), '--strict', tarball])
}

/** Rejects if a strict project does not compile with every entry, in the oldest supported TypeScript and in the newest. */
async function checkTypes({ tarball, unpacked }) {
  const cwd = join(unpacked, '../project')
  mkdirSync(cwd)
  const { exports, name } = JSON.parse(readFileSync(join(unpacked, 'package.json'), 'utf8'))
  const entries = Object.keys(exports).filter((entry) => !entry.endsWith('.json'))
  const imports = entries.map((entry, i) => `export * as entry${i} from '${entry.replace('.', name)}'\n`)
  writeFileSync(join(cwd, 'entries.ts'), imports.join(''))
  writeFileSync(join(cwd, 'package.json'), '{ "private": true, "type": "module" }')
  await run('npm', ['install', '--no-audit', '--no-fund', tarball, '@types/node@20'], { cwd })
  const strict = '--strict --noEmit --noUncheckedIndexedAccess --exactOptionalPropertyTypes'
  const flags = `${strict} --target ES2022 --lib ES2023 --module NodeNext --types node`.split(' ')
  for (const version of ['latest', '5.2'])
    await run('npx', ['--yes', '-p', `typescript@${version}`, 'tsc', ...flags, 'entries.ts'], { cwd })
  await run(process.execPath, [tool('@arethetypeswrong/cli/dist/index.js'), '--profile', 'esm-only', tarball])
}

/** The checks by what they show. A check that measures returns its figures. */
const checks = {
  'publint finds nothing, and the manuals are in the tarball': lintPackage,
  'a strict project compiles with every entry, and "are the types wrong" finds nothing': checkTypes,
  'size of core and the client': checkSizes,
  'import of core': checkImportTime,
}

await check('the check of the package', async (folder) => {
  await install(new URL('.', import.meta.url))
  const packed = await pack(folder)
  for (const [title, find] of Object.entries(checks)) {
    const figures = await find(packed)
    console.log(`ok      ${title}${figures ? `: ${figures}` : ''}`)
  }
})

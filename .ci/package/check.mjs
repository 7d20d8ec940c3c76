// Checks the package as it is built and packed: its files, its source maps, its types, the size of core and the client,
// and the import time of core. Exits with 1 and the findings if there are any.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { check, run } from '../command.mjs'
import { install } from '../install.mjs'
import { pack } from '../pack.mjs'
import { documents, hasMap, reachable } from './reachable.mjs'
import { checkImportTime, checkSizes } from './size.mjs'

const tool = (path) => fileURLToPath(new URL(`node_modules/${path}`, import.meta.url))

/** The package has each file that a user can reach, and no other file. */
function checkContents({ paths, unpacked }) {
  const missing = new Set([...documents(unpacked), ...reachable(unpacked)])
  const surplus = paths.filter((path) => !missing.delete(path))
  if (surplus.length > 0)
    throw new Error(`the tarball has files that no entry reaches:\n${surplus.join('\n')}`)
  if (missing.size > 0) throw new Error(`the tarball lacks:\n${[...missing].join('\n')}`)
}

/** A debugger finds the TypeScript of each module of the library in its source map. */
function checkMaps({ paths, unpacked }) {
  const modules = paths.filter(hasMap)
  const incomplete = modules.filter((path) => {
    const { sources, sourcesContent = [] } = JSON.parse(readFileSync(join(unpacked, `${path}.map`), 'utf8'))
    return !sources.every((source, i) => source.endsWith('.ts') && typeof sourcesContent[i] === 'string')
  })
  if (incomplete.length > 0) throw new Error(`these modules lack their sources:\n${incomplete.join('\n')}`)
}

/** npm runs no script when it installs the tarball. */
function checkScripts({ unpacked }) {
  const { scripts } = JSON.parse(readFileSync(join(unpacked, 'package.json'), 'utf8'))
  const ofInstallation = ['preinstall', 'install', 'postinstall', 'prepare'].filter((name) => name in scripts)
  if (ofInstallation.length > 0) throw new Error(`npm runs ${ofInstallation.join(', ')} of a tarball`)
}

/** A strict project compiles with every entry, by the newest TypeScript and by the oldest that the manual names. */
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

/** What each check shows. Where it measures, it returns the figures. */
const checks = [
  ['a user can reach each file of the package', checkContents],
  ['every module of the library has a source map with its sources', checkMaps],
  ['an installation of the tarball runs no script', checkScripts],
  ['a strict project compiles with every entry, and "are the types wrong" finds nothing', checkTypes],
  ['the sizes of core and the client', checkSizes],
  ['the import of core', checkImportTime],
]

await check('the check of the package', async (folder) => {
  await install(new URL('.', import.meta.url))
  const packed = await pack(folder)
  for (const [title, find] of checks) {
    const figures = await find(packed)
    console.log(`ok      ${title}${figures ? `: ${figures}` : ''}`)
  }
})

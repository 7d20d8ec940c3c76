// Checks the package as it is built and packed: its files, its source maps, its installation, the findings of publint
// and "are the types wrong", the size of core and the client, and the import time of core. Exits with 1 and the
// findings if there are any.
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

/** An installation of the tarball adds one package, which has no script that npm runs or warns of. */
async function checkInstallation({ tarball, unpacked }) {
  const { scripts } = JSON.parse(readFileSync(join(unpacked, 'package.json'), 'utf8'))
  const ofInstallation = ['preinstall', 'install', 'postinstall', 'prepare'].filter((name) => name in scripts)
  if (ofInstallation.length > 0) throw new Error(`npm warns of ${ofInstallation.join(', ')} of a tarball`)
  const cwd = join(unpacked, '../project')
  mkdirSync(cwd)
  writeFileSync(join(cwd, 'package.json'), '{ "private": true, "type": "module" }')
  const flags = ['--foreground-scripts', '--offline', '--no-audit', '--no-fund', '--loglevel', 'error']
  const printed = await run('npm', ['install', ...flags, tarball], { cwd })
  if (!/^added 1 package in \S+$/.test(printed.trim())) throw new Error(`npm install prints:\n${printed}`)
}

/** Suggestions of publint count as findings too, though it does not fail on them. */
async function checkPublint({ tarball }) {
  const findings = await run(process.execPath, [tool('publint/src/cli.js'), '--strict', tarball])
  if (!findings.includes('All good!')) throw new Error(`publint finds:\n${findings}`)
}

/** A strict project compiles with every entry, by the newest TypeScript and by the oldest that the manual names. */
async function checkTypes({ tarball, unpacked }) {
  const cwd = join(unpacked, '../project') // where it is installed
  const { exports, name } = JSON.parse(readFileSync(join(unpacked, 'package.json'), 'utf8'))
  const entries = Object.keys(exports).filter((entry) => !entry.endsWith('.json'))
  const imports = entries.map((entry, i) => `export * as entry${i} from '${entry.replace('.', name)}'\n`)
  writeFileSync(join(cwd, 'entries.ts'), imports.join(''))
  await run('npm', ['install', '--no-audit', '--no-fund', '@types/node@20'], { cwd })
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
  ['an installation of the tarball runs no script', checkInstallation],
  ['publint finds nothing', checkPublint],
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

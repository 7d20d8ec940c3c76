// Checks the package as npm would publish it: node .ci/package/check.mjs
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { check, run, runNpm, writeFiles } from '../command.mjs'
import { pack } from '../pack.mjs'
import { documents } from './reachable.mjs'
import { checkImportTime, checkSizes } from './size.mjs'

/** The newest TypeScript, and the oldest supported one. */
const compilers = ['latest', '5.2'].map((version) => `typescript-${version}@npm:typescript@${version}`)
const tools = [
  '@types/node@20',
  'publint@0.3',
  'webpack@4',
  'webpack-cli@3',
  'esbuild-loader@4',
  ...compilers,
]

const entry = `import { createPetClient, toJson } from 'pet-adoption-service/client'

const fetch = async () => new Response('{"id":1,"name":"Rex","categoryId":7}', { status: 201 })
const pets = createPetClient({ baseUrl: 'http://pets.test/v1', apiKey: 'my-first-long-api-key', fetch })
pets.create({ name: 'Rex', categoryId: 7 }).then((pet) => console.log(toJson(pet)))
`

async function lintPackage({ tarball, paths, unpacked, cwd }) {
  const missing = documents(unpacked).filter((path) => !paths.includes(path))
  if (missing.length > 0) throw new Error(`the tarball does not contain:\n${missing.join('\n')}`)
  await run('npx', ['publint', '--strict', tarball], { cwd })
}

/** Compiles a strict project that imports every entry. */
async function checkTypes({ unpacked, cwd }) {
  const { exports, name } = JSON.parse(readFileSync(join(unpacked, 'package.json'), 'utf8'))
  const entries = Object.keys(exports).filter((entry) => !entry.endsWith('.json'))
  const imports = entries.map((entry, i) => `export * as entry${i} from '${entry.replace('.', name)}'\n`)
  writeFiles(cwd, { 'entries.ts': imports.join('') })
  const strict = '--strict --noEmit --noUncheckedIndexedAccess --exactOptionalPropertyTypes'
  const flags = `${strict} --target ES2022 --lib ES2023 --module NodeNext --types node`.split(' ')
  for (const compiler of compilers) {
    const [alias] = compiler.split('@')
    await run(process.execPath, [`node_modules/${alias}/bin/tsc`, ...flags, 'entries.ts'], { cwd })
  }
}

/** Bundles the client with the manual's configuration, and runs it. */
async function checkWebpack({ unpacked, cwd }) {
  const configuration = 'adapters/examples/client/webpack-4.config.cjs'
  writeFiles(cwd, { 'entry.js': entry, 'webpack.cjs': readFileSync(join(unpacked, configuration)) })
  const flags = ['--config', 'webpack.cjs', '--mode', 'production', '--output', 'bundle.cjs']
  await run('npx', ['webpack', './entry.js', ...flags], { cwd })
  const printed = await run(process.execPath, ['bundle.cjs'], { cwd })
  if (printed !== '{"id":1,"name":"Rex","categoryId":7}\n') throw new Error(`the bundle printed ${printed}`)
}

const checks = {
  'publint, and the manuals in the tarball': lintPackage,
  'a strict TypeScript project': checkTypes,
  'the client with webpack 4': checkWebpack,
  'the size of core and the client': checkSizes,
  'the import time of core': checkImportTime,
}

await check('the check of the package', async (folder) => {
  const packed = await pack(folder)
  const cwd = join(folder, 'project')
  writeFiles(cwd, { 'package.json': '{ "private": true, "type": "module" }' })
  await runNpm(cwd, 'install', packed.tarball, ...tools)
  for (const [title, find] of Object.entries(checks)) {
    const figures = await find({ ...packed, cwd })
    console.log(`ok      ${title}${figures ? `: ${figures}` : ''}`)
  }
})

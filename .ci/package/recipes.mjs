// Follows the recipes of the manuals with the packed package: node .ci/package/recipes.mjs. Each recipe's code is saved
// in an empty folder under the name that its paragraph names, and its command must work. A server must list animals.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { check, forEachInPairs, inFolder, root, run, runNpm, writeFiles } from '../command.mjs'
import { pack } from '../pack.mjs'
import { tryServer } from '../serving.mjs'

const onPort = pathToFileURL(join(root, '.ci/on-port.mjs')).href
const recipePattern = /((?:[^\n]+\n)+)\n<!-- adapters\/examples\/(\S+) -->\n```[jt]s\n([\s\S]*?)^```$/gm
/** Recipes for other runtimes, a newer Node or a database. `.ci/examples.mjs` runs them. */
const elsewhere = /`(?:deno|bun) |create cloudflare|22\.13|npm install (?:pg|redis)/
/** The service that the hooks of OPTIONS.md are added to. */
const petsFile = readFileSync(join(root, 'adapters/examples/mounting/pets.ts'), 'utf8')

/** Returns the recipes of a manual. A paragraph without a command adds its file to the next recipe. */
function findRecipes(manual) {
  const recipes = []
  let files = {}
  for (const [, paragraph, name, code] of readFileSync(join(root, manual), 'utf8').matchAll(recipePattern)) {
    const text = paragraph.replaceAll('\n', ' ')
    const [, file] = /[Ss]ave as `([^`]+)`/.exec(text) ?? []
    if (!file || elsewhere.test(text)) continue
    files[file] = code
    const [, packages = ''] = /`npm install ([^`]+)`/.exec(text) ?? []
    const [, command] = /run `([^`]+)`/.exec(text.slice(text.indexOf(file))) ?? []
    if (!command) continue
    const others = packages.split(' ').filter((word) => /^(?!pet-)\S/.test(word))
    recipes.push({ name, files, command, packages: others })
    files = {}
  }
  return recipes
}

const row = /^\| \[(\S+\.ts)\]\((examples\/\S+)\) \| `(\w+)` .*`npm install ([^`]+)` \| `([^`]+)` \|$/gm
const server = `import { createPetServer } from 'pet-adoption-service/node'
import { service } from './pets.ts'

createPetServer(service).listen(8080)
`

/** Returns a recipe for each hook in the table of OPTIONS.md. */
function findHookRecipes(unpacked) {
  const rows = [...readFileSync(join(unpacked, 'adapters/OPTIONS.md'), 'utf8').matchAll(row)]
  return rows.map(([, file, path, hook, packages, command]) => {
    const code = readFileSync(join(unpacked, 'adapters', path), 'utf8')
    const pets = petsFile.replace('onError: console.error', hook)
    const files = {
      [file]: code,
      'pets.ts': `import { ${hook} } from './${file}'\n${pets}`,
      'server.ts': server,
    }
    return { name: path, files, command, packages: packages.split(' ') }
  })
}

async function follow({ files, command, packages }, tarball, folder) {
  writeFiles(folder, { 'package.json': '{ "type": "module" }', ...files })
  const tools = command.startsWith('npx tsx') ? ['tsx'] : []
  await runNpm(folder, 'install', tarball, ...packages, ...tools)
  // npx does not pass on the signal that stops a server.
  const words = command.replace(/^npx (?=tsx )/, join(folder, 'node_modules/.bin/')).split(' ')
  const env = { NODE_TEST_CONTEXT: undefined, NODE_OPTIONS: `--import=${onPort}` }
  if (/server/.test(command)) await tryServer(words, { cwd: folder, env }, Object.values(files).join())
  else await run(words[0], words.slice(1), { cwd: folder })
}

/** Runs the CI script of the suite's manual. */
async function followCiRecipe(tarball, folder) {
  writeFiles(folder, { 'package.json': '{}' })
  await runNpm(folder, 'install', tarball)
  await run('sh', [join(root, 'conformance/examples/ci.sh')], { cwd: folder })
  console.log('ok      ci.sh')
}

await check('the recipes of the manuals', async (folder) => {
  const { tarball, unpacked } = await pack(folder)
  await followCiRecipe(tarball, join(folder, 'ci'))
  const recipes = [
    'README.md',
    'adapters/README.md',
    'adapters/TESTING.md',
    'adapters/STORAGE.md',
    'adapters/CLIENT.md',
    'conformance/README.md',
  ].flatMap(findRecipes)
  const hooks = findHookRecipes(unpacked)
  if (recipes.length === 0 || hooks.length === 0) throw new Error('the manuals contain no recipes')
  await forEachInPairs([...recipes, ...hooks], async (recipe) => {
    const { name, command } = recipe
    await inFolder((folder) => follow(recipe, tarball, folder)).catch((cause) => {
      throw new Error(`${name}, run as ${command}: ${cause.message}`)
    })
    console.log(`ok      ${name}: ${command}`)
  })
})

// Follows the manuals: installs the packed package in an empty folder for each recipe, saves it under the name that the
// text in front of it says, and runs the command that it says. A server must list animals to the key of the recipes,
// and any other program must end with 0. With arguments, only recipes whose files contain one of them.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { check, inFolder, root, run } from '../command.mjs'
import { pack } from '../pack.mjs'
import { tryServer } from '../serving.mjs'

const onPort = pathToFileURL(join(root, '.ci/on-port.mjs')).href
const recipe = /((?:[^\n]+\n)+)\n<!-- adapters\/examples\/(\S+) -->\n```ts\n([\s\S]*?)^```$/gm
const quiet = ['--no-audit', '--no-fund', '--loglevel', 'error']
/** Recipes that .ci/examples.mjs runs: for other runtimes, and with a newer Node, a service, or a framework's folder. */
const elsewhere =
  /`(?:deno|bun) |nest new|create cloudflare|22\.13|npm install (?:pg|redis)|route of the app|Next\.js|controller|Both read/
/** The module that the blocks of adapters/README.md import. */
const shared = { 'pets.ts': readFileSync(join(root, 'adapters/examples/mounting/pets.ts'), 'utf8') }

/** Returns the recipes of a manual: the files of a run, its packages, and the command of the last file. */
function findRecipes(manual) {
  const recipes = []
  let files = {}
  for (const [, paragraph, name, code] of readFileSync(join(root, manual), 'utf8').matchAll(recipe)) {
    const text = paragraph.replaceAll('\n', ' ')
    const isMounted = code.includes("'./pets.ts'")
    const [, file = isMounted ? 'server.ts' : undefined] = /[Ss]ave as `([^`]+)`/.exec(text) ?? []
    if (!file || elsewhere.test(text)) continue
    files[file] = code
    const [, packages = ''] = /`npm install ([^`]+)`/.exec(text) ?? []
    const [, command = isMounted ? 'npx tsx server.ts' : undefined] =
      /run `([^`]+)`/.exec(text.slice(text.indexOf(file))) ?? []
    if (!command) continue
    const others = packages.split(' ').filter((word) => /^(?!pet-)\S/.test(word))
    recipes.push({ name, files: isMounted ? { ...shared, ...files } : files, command, packages: others })
    files = {}
  }
  return recipes
}

const row = /^\| \[(\S+\.ts)\]\((examples\/\S+)\) \| `(\w+)` .*`npm install ([^`]+)` \| `([^`]+)` \|$/gm
/** The server of a recipe that is a hook. */
const server = `import { createPetServer } from 'pet-adoption-service/node'
import { service } from './pets.ts'

createPetServer(service).listen(8080)
`

/** Returns the recipes of adapters/README.md that are hooks, whose files are in the package: the rows of a table. */
function findHookRecipes(unpacked) {
  const rows = [...readFileSync(join(unpacked, 'adapters/README.md'), 'utf8').matchAll(row)]
  return rows.map(([, file, path, hook, packages, command]) => {
    const code = readFileSync(join(unpacked, 'adapters', path), 'utf8')
    const pets = shared['pets.ts'].replace('{ keys }', `{ keys, ${hook} }`)
    const files = {
      [file]: code,
      'pets.ts': `import { ${hook} } from './${file}'\n${pets}`,
      'server.ts': server,
    }
    return { name: path, files, command, packages: packages.split(' ') }
  })
}

/** Follows a recipe in an empty folder. */
async function follow({ files, command, packages }, tarball, folder) {
  for (const [file, code] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), code)
  }
  await run('npm', ['init', '-y'], { cwd: folder })
  await run('npm', ['pkg', 'set', 'type=module'], { cwd: folder })
  const tools = command.startsWith('npx tsx') ? ['tsx'] : []
  await run('npm', ['install', ...quiet, tarball, ...packages, ...tools], { cwd: folder })
  // npx would not pass the signal on that ends a server.
  const words = command.replace(/^npx (?=tsx )/, join(folder, 'node_modules/.bin/')).split(' ')
  const env = { NODE_TEST_CONTEXT: undefined, NODE_OPTIONS: `--import=${onPort}` }
  if (/server/.test(command)) await tryServer(words, { cwd: folder, env }, Object.values(files).join())
  else await run(words[0], words.slice(1), { cwd: folder })
}

await check('the recipes of the manuals', async (folder) => {
  const { tarball, unpacked } = await pack(folder)
  const queue = [
    'README.md',
    'adapters/README.md',
    'adapters/STORAGE.md',
    'adapters/CLIENT.md',
    'conformance/README.md',
  ].flatMap(findRecipes)
  const hooks = findHookRecipes(unpacked)
  if (queue.length === 0 || hooks.length === 0) throw new Error('no manual has such a recipe')
  queue.push(...hooks)
  const work = async () => {
    for (let next = queue.shift(); next; next = queue.shift()) {
      const { name, command } = next
      await inFolder((folder) => follow(next, tarball, folder)).catch((cause) => {
        throw new Error(`${name}, run as ${command}: ${cause.message}`)
      })
      console.log(`ok      ${name}: ${command}`)
    }
  }
  await Promise.all([work(), work()])
})

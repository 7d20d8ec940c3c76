// Follows the Deno manual with an empty PATH, so that no command can use Node.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root, run } from '../command.mjs'
import { pack } from '../pack.mjs'
import { apiKey, findFreePort, tryServer } from '../serving.mjs'

const recipe = /(deno (?:run|serve) [^`]+)`:\n\n<!-- \S+ -->\n```ts\n([\s\S]*?)^```$/gm

export async function followManual(folder, deno) {
  const port = await findFreePort()
  const read = (path) => readFileSync(join(root, 'adapters', path), 'utf8').replaceAll('8080', String(port))
  const [, chapter] = read('DENO-AND-BUN.md').split(/^## (?:Deno|Bun)\n/m)
  const [, mounting] = read('README.md').split(/^## (?:Deno|Bun)\n/m)
  const readCode = (language) => chapter.split(`\`\`\`${language}\n`)[1].split('```')[0]
  const [server, suite] = readCode('sh').trim().split('\n')
  const DENO_DIR = join(folder, '.deno')
  const env = { PATH: folder, HOME: folder, DENO_DIR, PET_ADOPTION_API_KEY: apiKey }
  const options = { cwd: folder, env, port }
  const splitArgs = (line) => line.split(' ').slice(1)
  const finish = (line) => run(deno, splitArgs(line), { cwd: folder, env })

  await pack(folder)
  writeFileSync(join(folder, 'deno.json'), readCode('json'))
  await finish('deno install')
  writeFileSync(join(folder, 'pets.ts'), read('examples/mounting/pets.ts'))
  const recipes = [...(mounting + chapter).matchAll(recipe)]
  if (recipes.length !== 3) throw new Error(`expected 3 recipes in the manuals, found ${recipes.length}`)
  for (const [, line, code] of recipes) {
    const [file] = /\w+\.ts$/.exec(line)
    writeFileSync(join(folder, file), code)
    await finish(`deno check ${file}`)
    if (code.includes("path: 'pets.sock'")) continue // has its own test
    await tryServer([deno, ...splitArgs(line)], options, code)
  }
  const judge = () => finish(`${suite} --profile read --allow-inconclusive`)
  await tryServer([deno, ...splitArgs(server)], options, '', judge)
}

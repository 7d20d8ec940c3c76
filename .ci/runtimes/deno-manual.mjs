// Follows the manuals on Deno line by line, with an empty PATH.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root, run } from '../command.mjs'
import { pack } from '../pack.mjs'
import { freePort, key, tryServer } from '../serving.mjs'

const recipe = /(deno (?:run|serve) [^`]+)`:\n\n<!-- \S+ -->\n```ts\n([\s\S]*?)^```$/gm

/** Follows it in an empty folder, with the packed package. Rejects at the first line that fails. */
export async function followManual(folder, deno) {
  const port = await freePort()
  const read = (path) => readFileSync(join(root, 'adapters', path), 'utf8').replaceAll('8080', String(port))
  const [, chapter] = read('DENO-AND-BUN.md').split(/^## (?:Deno|Bun)\n/m)
  const [, mounting] = read('README.md').split(/^## (?:Deno|Bun)\n/m)
  const readCode = (language) => chapter.split(`\`\`\`${language}\n`)[1].split('```')[0]
  const [server, suite] = readCode('sh').trim().split('\n')
  const DENO_DIR = join(folder, '.deno')
  const env = { PATH: folder, HOME: folder, DENO_DIR, PET_ADOPTION_API_KEY: key }
  const options = { cwd: folder, env, port }
  const splitArgs = (line) => line.split(' ').slice(1)
  const finish = (line) => run(deno, splitArgs(line), { cwd: folder, env })

  await pack(folder)
  writeFileSync(join(folder, 'deno.json'), readCode('json'))
  await finish('deno install')
  writeFileSync(join(folder, 'pets.ts'), read('examples/mounting/pets.ts'))
  const recipes = [...(mounting + chapter).matchAll(recipe)]
  if (recipes.length !== 3) throw new Error(`the manuals have ${recipes.length} recipes to follow`)
  for (const [, line, code] of recipes) {
    const [file] = /\w+\.ts$/.exec(line)
    writeFileSync(join(folder, file), code)
    await finish(`deno check ${file}`)
    if (code.includes("path: 'pets.sock'")) continue // has a test
    await tryServer([deno, ...splitArgs(line)], options, code)
  }
  const judge = () => finish(`${suite} --profile read --allow-inconclusive`)
  await tryServer([deno, ...splitArgs(server)], options, '', judge)
}

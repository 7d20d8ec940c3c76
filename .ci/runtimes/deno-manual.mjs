// Follows the chapter on Deno of the manual, line by line and in its order, where the PATH leads to no program.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root, run } from '../command.mjs'
import { pack } from '../pack.mjs'
import { freePort, key, tryServer } from '../serving.mjs'

const recipe = /[Ss]ave as `(\S+)`, and run\s`(deno [^`]+)`:\n\n<!-- \S+ -->\n```ts\n([\s\S]*?)^```$/gm

/** Follows it in an empty folder, with the packed package. Rejects at the first line that fails. */
export async function followManual(folder, deno) {
  const port = await freePort()
  const manual = readFileSync(join(root, 'adapters/README.md'), 'utf8').replaceAll('8080', String(port))
  const [, chapter] = manual.split(/^## (?:Deno|Bun)\n/m)
  const codeOf = (language) => chapter.split(`\`\`\`${language}\n`)[1].split('```')[0]
  const [server, suite] = codeOf('sh').trim().split('\n')
  const DENO_DIR = join(folder, '.deno')
  const env = { PATH: folder, HOME: folder, DENO_DIR, PET_ADOPTION_API_KEY: key }
  const options = { cwd: folder, env, port }
  const argsOf = (line) => line.split(' ').slice(1)
  const finish = (line) => run(deno, argsOf(line), { cwd: folder, env })

  await pack(folder)
  writeFileSync(join(folder, 'deno.json'), codeOf('json'))
  await finish('deno install')
  const recipes = [...chapter.matchAll(recipe)]
  if (recipes.length !== 4) throw new Error(`the chapter has ${recipes.length} recipes to follow`)
  for (const [, file, line, code] of recipes) {
    writeFileSync(join(folder, file), code)
    await finish(`deno check ${file}`)
    if (code.includes("path: 'pets.sock'")) continue // has a test
    await tryServer([deno, ...argsOf(line)], options, code)
  }
  const judge = () => finish(`${suite} --profile read --allow-inconclusive`)
  await tryServer([deno, ...argsOf(server)], options, '', judge)
}

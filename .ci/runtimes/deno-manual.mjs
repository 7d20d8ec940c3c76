// Follows the chapter on Deno of the manual, line by line and in its order, where the PATH leads to no program.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { root, run } from '../command.mjs'
import { pack } from '../pack.mjs'
import { freePort } from '../server.mjs'

const key = 'my-first-long-api-key' // that of the manual
const recipe = /[Ss]ave as `(\S+)`, and run\s`(deno [^`]+)`:\n\n<!-- \S+ -->\n```ts\n([\s\S]*?)^```$/gm

/** Follows it in an empty folder, with the packed package. Rejects at the first line that fails. */
export async function followManual(folder, deno) {
  const PORT = String(await freePort())
  const manual = readFileSync(join(root, 'adapters/README.md'), 'utf8').replaceAll('8080', PORT)
  const [, chapter] = manual.split(/^## (?:Deno|Bun)\n/m)
  const codeOf = (language) => chapter.split(`\`\`\`${language}\n`)[1].split('```')[0]
  const [server, suite] = codeOf('sh').trim().split('\n')
  const DENO_DIR = join(folder, '.deno')
  const env = { ...process.env, PATH: folder, HOME: folder, DENO_DIR, PORT, PET_ADOPTION_API_KEY: key }
  const finish = (line) => run(deno, line.split(' ').slice(1), { cwd: folder, env })

  await pack(folder)
  writeFileSync(join(folder, 'deno.json'), codeOf('json'))
  await finish('deno install')
  const recipes = [...chapter.matchAll(recipe)].filter(([text]) => !text.includes('oak')) // has a test
  if (recipes.length !== 4) throw new Error(`the chapter has ${recipes.length} recipes to follow`)
  for (const [, file, line, code] of recipes) {
    writeFileSync(join(folder, file), code)
    await finish(`deno check ${file}`)
    if (code.includes("path: 'pets.sock'")) continue // has a test
    await whileServing(line, /basePath: '([^']+)'/.exec(code)?.[1])
  }
  await whileServing(server, '/v1', () => finish(`${suite} --profile read --allow-inconclusive`))

  /** Runs a server until it has listed the animals, and then until `task` is done. */
  async function whileServing(line, basePath = '/v1', task) {
    const stdio = ['ignore', 'ignore', 'inherit']
    const child = spawn(deno, line.split(' ').slice(1), { cwd: folder, env, stdio })
    const ended = once(child, 'exit')
    const headers = { Authorization: `Bearer ${key}` }
    const list = () => fetch(`http://127.0.0.1:${PORT}${basePath}/pets`, { headers }).catch(() => {})
    try {
      let response
      for (let i = 0; !response && child.exitCode === null && i < 200; i++)
        response = await sleep(100).then(list)
      if (response?.status !== 200) throw new Error(`${line}: the list has the status ${response?.status}`)
      await task?.()
    } finally {
      child.kill()
      await ended
    }
  }
}

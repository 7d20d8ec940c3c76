// Stores animals in a SQLite file on Node 20, which has no SQLite of its own, by the line of the operator's manual.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root, run } from '../command.mjs'
import { pack } from '../pack.mjs'
import { startServing } from '../serving.mjs'

const quiet = ['--no-audit', '--no-fund', '--loglevel', 'error']
const animals = ['--data', 'animals.sqlite']

/** Follows it in an empty folder, with the packed package. `node` is the program of Node 20. */
export async function storeOnNode20(folder, node) {
  const manual = readFileSync(join(root, 'adapters/standalone/README.md'), 'utf8')
  const [, driver] = /`npm install (better-sqlite3@\d+)`/.exec(manual)
  const { tarball } = await pack(folder)
  await run('npm', ['init', '-y'], { cwd: folder })
  await run('npm', ['pkg', 'set', 'allowScripts.better-sqlite3=true', '--json'], { cwd: folder })
  await run('npm', ['install', ...quiet, tarball, driver], { cwd: folder, timeout: 400_000 })
  const program = join(folder, 'node_modules/pet-adoption-service/dist/adapters/standalone/main.js')
  const issue = ['keys', 'issue', ...animals, '--id', 'shelter', '--plan', 'pro']
  const [key] = /^\S{30,}$/m.exec(await run(node, [program, ...issue], { cwd: folder }))
  for (let start = 1; start <= 2; start++) {
    const { origin, end } = await startServing([node, program, ...animals], { cwd: folder })
    try {
      const count = await addAnimal(`${origin}/v1/pets`, key)
      if (count !== start) throw new Error(`${count} animals are stored after start ${start}`)
    } finally {
      await end()
    }
  }
}

/** Adds an animal, and returns the number of animals. */
async function addAnimal(url, key) {
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
  await fetch(url, { method: 'POST', headers, body: JSON.stringify({ name: 'Mia', categoryId: 3 }) })
  const pets = await (await fetch(url, { headers })).json()
  return pets.length
}

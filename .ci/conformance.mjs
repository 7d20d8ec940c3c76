// Runs the built conformance program, with every profile, against the built standalone server, and the recipe for CI as
// the manual prints it.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { check, root } from './command.mjs'
import { newKey, runSuite, startServer } from './server.mjs'
import { addAnimals } from './serving.mjs'

await check('the conformance of the server', async (folder) => {
  const [key, throttleKey] = [newKey(), newKey()]
  const record = (id, plan, token) => ({
    id,
    plan,
    sha256: createHash('sha256').update(token).digest('hex'),
  })
  const keys = [record('suite', 'business', key), record('throttled', 'free', throttleKey)]
  const file = join(folder, 'keys.json')
  writeFileSync(file, JSON.stringify({ keys }))
  const server = await startServer('--keys', file)
  try {
    const statuses = await addAnimals(server.url, key)
    if (statuses.some((status) => status !== 201)) throw new Error(`createPet returned ${statuses}`)
    const flags = ['--profile', 'all', '--plan', 'business']
    const { exitCode, printed } = await runSuite(server.url, { key, throttleKey }, ...flags)
    console.log(printed)
    if (exitCode !== 0) throw new Error(`the suite exits with ${exitCode}`)
    runRecipe(folder)
  } finally {
    await server.stop()
  }
})

/** Runs the recipe for CI in a folder where the package is installed. */
function runRecipe(folder) {
  const manual = readFileSync(join(root, 'conformance/README.md'), 'utf8')
  const [, script] = /<!-- conformance\/examples\/ci\.sh -->\n```sh\n([\s\S]*?)```/.exec(manual)
  const programs = join(folder, 'node_modules', '.bin')
  mkdirSync(programs, { recursive: true })
  for (const [name, path] of [
    ['pet-adoption-service', 'dist/adapters/standalone/main.js'],
    ['pet-adoption-conformance', 'dist/conformance/main.js'],
  ]) {
    const text = `#!/bin/sh\nexec '${process.execPath}' '${join(root, path)}' "$@"\n`
    writeFileSync(join(programs, name), text, { mode: 0o755 })
  }
  const { PET_ADOPTION_API_KEY: _, ...env } = process.env
  const { status } = spawnSync('sh', ['-c', script], { cwd: folder, env, stdio: 'inherit' })
  if (status !== 0) throw new Error(`the recipe exits with ${status}`)
}

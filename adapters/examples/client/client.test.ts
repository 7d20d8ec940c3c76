import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { createKeyStore, createPetService, sha256 } from 'pet-adoption-service'
import { createPetClient } from 'pet-adoption-service/client'
import { createPetServer } from 'pet-adoption-service/node'
import { mapPart, type Part, testWith } from '../../contracts/testing/part.ts'
import { listen, shut } from '../../testing/listen.ts'
import { bun, deno, root } from '../testing/parts.ts'
import { key } from '../testing/rules.ts'
import { type CommandLine, nodeWithTypeScript } from '../testing/serving.ts'
import { showAnimals } from './worker.ts'

const folder = 'adapters/examples/client'

/** Starts a service with thirty animals. Returns its base URL. */
async function startService(t: { after(work: () => Promise<void>): void }): Promise<string> {
  const keys = createKeyStore([{ id: 'shelter', sha256: sha256(key), plan: 'pro' }])
  const server = createPetServer(createPetService({ keys }))
  const baseUrl = `http://127.0.0.1:${await listen(server)}/v1`
  t.after(() => shut(server))
  const pets = createPetClient({ baseUrl, apiKey: key })
  await Promise.all(Array.from({ length: 30 }, (_, i) => pets.create({ name: `Animal ${i}`, categoryId: 1 })))
  return baseUrl
}

const runtimes: Readonly<Record<string, Part<CommandLine>>> = {
  Node: { value: [...nodeWithTypeScript, `${folder}/node.ts`] },
  Deno: mapPart(deno, (path) => [path, 'run', '--allow-net', '--allow-env', `${folder}/node.ts`]),
  Bun: mapPart(bun, (path) => [path, `${folder}/node.ts`]),
}
for (const [name, part] of Object.entries(runtimes)) {
  testWith(part)(
    `the client's example lists all animals and adds one, on ${name}`,
    async (t, [program, ...args]) => {
      const env = { ...process.env, PET_ADOPTION_URL: await startService(t), PET_ADOPTION_API_KEY: key }
      const { stdout } = await promisify(execFile)(program, args, { cwd: root, env })
      const lines = stdout.trim().split('\n')
      assert.equal(lines.length, 31)
      assert.match(lines.at(-1) ?? '', /^31n? Rex$/)
    },
  )
}

test('the example of a Worker shows names, or the code of the error', async (t) => {
  const env = { PET_ADOPTION_URL: await startService(t), PET_ADOPTION_API_KEY: key }
  const page = await showAnimals(env)
  assert.deepEqual([page.status, (await page.text()).split('\n').length], [200, 5])
  const failed = await showAnimals({ ...env, PET_ADOPTION_API_KEY: 'wrong' })
  assert.deepEqual([failed.status, await failed.text()], [503, 'Try again later: invalid_api_key'])
})

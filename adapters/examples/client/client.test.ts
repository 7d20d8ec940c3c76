import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { createServer } from 'node:http'
import { type TestContext, test } from 'node:test'
import { promisify } from 'node:util'
import { createKeyStore, createPetService, sha256 } from 'pet-adoption-service'
import { createPetServer } from 'pet-adoption-service/node'
import { mapResource, type Resource, testWith } from '../../contracts/testing/resource.ts'
import { closeServer, listen } from '../../testing/listen.ts'
import { bun, deno, root } from '../testing/parts.ts'
import { apiKey, createAnimals } from '../testing/rules.ts'
import { type CommandLine, nodeWithTypeScript } from '../testing/serving.ts'
import { showAnimals } from './worker.ts'

const folder = 'adapters/examples/client'

/** Starts a service with animals, and returns the variables for its client. */
async function startService(t: TestContext) {
  const keys = createKeyStore([{ id: 'shelter', sha256: sha256(apiKey), plan: 'pro' }])
  const server = createPetServer(createPetService({ keys }))
  t.after(() => closeServer(server))
  const url = `http://127.0.0.1:${await listen(server)}/v1`
  await createAnimals(url)
  return { PET_ADOPTION_URL: url, PET_ADOPTION_API_KEY: apiKey }
}

const runtimes: Readonly<Record<string, Resource<CommandLine>>> = {
  Node: { value: [...nodeWithTypeScript, `${folder}/node.ts`] },
  Deno: mapResource(deno, (path) => [path, 'run', '--allow-net', '--allow-env', `${folder}/node.ts`]),
  Bun: mapResource(bun, (path) => [path, `${folder}/node.ts`]),
}
for (const [name, part] of Object.entries(runtimes)) {
  testWith(part)(
    `the client example lists available animals and creates one (${name})`,
    async (t, [program, ...args]) => {
      const env = { ...process.env, ...(await startService(t)) }
      const { stdout } = await promisify(execFile)(program, args, { cwd: root, env })
      assert.match(stdout, /^(?:\d+n? Animal \d+\n){10}\{"id":31,"name":"Rex","categoryId":7,.*\}\n$/)
    },
  )
}

test('the error handling example prints an error response', async (t) => {
  const env = { ...process.env, ...(await startService(t)), PET_ADOPTION_API_KEY: 'wrong' }
  const [program, ...args] = nodeWithTypeScript
  const { stderr } = await promisify(execFile)(program, [...args, `${folder}/errors.ts`], { cwd: root, env })
  assert.match(stderr, /^401 invalid_api_key: .* \(request \S+\)\n$/)
})

test('the Worker example responds with animals, or with 503', async (t) => {
  const env = await startService(t)
  const page = await showAnimals(env)
  const animals: readonly { id: number }[] = await page.json()
  assert.deepEqual([page.status, animals.length, typeof animals[0]?.id], [200, 5, 'number'])
  const failed = await showAnimals({ ...env, PET_ADOPTION_API_KEY: 'wrong' })
  assert.deepEqual([failed.status, await failed.text()], [503, 'Try again later: invalid_api_key'])
})

test('the JSON example responds with animals', async (t) => {
  Object.assign(process.env, await startService(t))
  const { sendAnimals } = await import('./json-response.ts')
  const server = createServer(sendAnimals)
  t.after(() => closeServer(server))
  const response = await fetch(`http://127.0.0.1:${await listen(server)}`)
  assert.match(await response.text(), /^\[(?:\{"id":\d+,"name":"Animal \d+","categoryId":\d+,.*?\},?){5}\]$/)
})

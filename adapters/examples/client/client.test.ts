import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { createServer } from 'node:http'
import { type TestContext, test } from 'node:test'
import { promisify } from 'node:util'
import { mapPart, type Part, testWith } from '../../contracts/testing/part.ts'
import { listen, shut } from '../../testing/listen.ts'
import { bun, deno, root } from '../testing/parts.ts'
import { addAnimals, key } from '../testing/rules.ts'
import { type CommandLine, nodeWithTypeScript, serving } from '../testing/serving.ts'
import { showAnimals } from './worker.ts'

const folder = 'adapters/examples/client'

/** Starts a service with 30 animals. Returns the environment of the examples. */
async function startService(t: TestContext) {
  const { origin } = await serving(t, [...nodeWithTypeScript, 'adapters/examples/shutdown.ts'])
  await addAnimals(`${origin}/v1`)
  return { PET_ADOPTION_URL: `${origin}/v1`, PET_ADOPTION_API_KEY: key }
}

const runtimes: Readonly<Record<string, Part<CommandLine>>> = {
  Node: { value: [...nodeWithTypeScript, `${folder}/node.ts`] },
  Deno: mapPart(deno, (path) => [path, 'run', '--allow-net', '--allow-env', `${folder}/node.ts`]),
  Bun: mapPart(bun, (path) => [path, `${folder}/node.ts`]),
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

test('the Worker example responds with animals or the code of the error', async (t) => {
  const env = await startService(t)
  const page = await showAnimals(env)
  const animals: readonly { id: number }[] = await page.json()
  assert.deepEqual([page.status, animals.length, typeof animals[0]?.id], [200, 5, 'number'])
  const failed = await showAnimals({ ...env, PET_ADOPTION_API_KEY: 'wrong' })
  assert.deepEqual([failed.status, await failed.text()], [503, 'Try again later: invalid_api_key'])
})

test('the JSON response example sends animals with all digits', async (t) => {
  Object.assign(process.env, await startService(t))
  const { sendAnimals } = await import('./json-response.ts')
  const server = createServer(sendAnimals)
  t.after(() => shut(server))
  const response = await fetch(`http://127.0.0.1:${await listen(server)}`)
  assert.match(await response.text(), /^\[(?:\{"id":\d+,"name":"Animal \d+","categoryId":\d+,.*?\},?){5}\]$/)
})

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { type TestContext, test } from 'node:test'
import { promisify } from 'node:util'
import { mapPart, type Part, testWith } from '../../contracts/testing/part.ts'
import { bun, deno, root } from '../testing/parts.ts'
import { addAnimals, key } from '../testing/rules.ts'
import { type CommandLine, nodeWithTypeScript, serving } from '../testing/serving.ts'
import { showAnimals } from './worker.ts'

const folder = 'adapters/examples/client'

/** Starts a service with thirty animals. Returns the environment of the examples. */
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
    `the client's example lists all available animals and adds one, on ${name}`,
    async (t, [program, ...args]) => {
      const env = { ...process.env, ...(await startService(t)) }
      const { stdout } = await promisify(execFile)(program, args, { cwd: root, env })
      assert.match(stdout, /^(?:\d+n? Animal \d+\n){10}31n? Rex\n$/)
    },
  )
}

test('the example of a Worker shows names, or the code of the error', async (t) => {
  const env = await startService(t)
  const page = await showAnimals(env)
  assert.deepEqual([page.status, (await page.text()).split('\n').length], [200, 5])
  const failed = await showAnimals({ ...env, PET_ADOPTION_API_KEY: 'wrong' })
  assert.deepEqual([failed.status, await failed.text()], [503, 'Try again later: invalid_api_key'])
})

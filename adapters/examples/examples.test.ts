import assert from 'node:assert/strict'
import { join } from 'node:path'
import { type Part, testWith } from '../contracts/testing/part.ts'
import { bun, deno, exampleWithPackages, newestNode, root } from './testing/parts.ts'
import { assertFollowsEveryRule, key } from './testing/rules.ts'
import { type CommandLine, nodeWithTypeScript, serving } from './testing/serving.ts'

interface Example {
  /** The parts that it requires and that may be absent. */
  readonly requires: readonly Part<string>[]
  readonly start: CommandLine
  /** The working directory, from the root of the project, which is the default. */
  readonly cwd?: string
}

const folder = 'adapters/examples'
const programOf = (part: Part<string>) => ('value' in part ? part.value : part.absent)

/** An app of one of the folders, on this Node. */
const onNode = (name: string, file = 'app'): Example => ({
  requires: [exampleWithPackages(name)],
  start: [...nodeWithTypeScript, `${folder}/${name}/${file}.ts`],
})
/** An app of one of the folders, on Deno. */
const onDeno = (name: string, env: string): Example => ({
  requires: [exampleWithPackages(name), deno],
  start: [programOf(deno), 'run', '--allow-net', env, `${folder}/${name}/app.ts`],
})
/** A Worker on the program that imitates the platform. */
const worker = (requires: readonly Part<string>[], ...args: readonly string[]): Example => ({
  requires: [newestNode, ...requires],
  start: [programOf(newestNode), '.ci/runtimes/serve-worker.mjs', ...args],
})
const storage = `${folder}/worker-storage`

/** Apps that mount the service and have a page themselves. */
const apps: Readonly<Record<string, Example>> = {
  'in an Express app': onNode('express'),
  'in a Koa app': onNode('koa'),
  // Its tsconfig.json turns decorators on.
  'in a Nest app': { ...onNode('nest'), start: [...nodeWithTypeScript, 'app.ts'], cwd: `${folder}/nest` },
  'in a Fastify app': onNode('fastify'),
  'in front of a Hono app on Node': onNode('hono-node'),
  'as a route of a Hono app on Node': onNode('hono-node', 'mount'),
  'as a route of a Hono app on Deno': onDeno('hono-deno', '--allow-env=PORT'),
  'in front of an Oak app on Deno': onDeno('oak-deno', '--allow-env'),
  'by deno serve': {
    requires: [deno],
    start: [programOf(deno), 'serve', '--host', '127.0.0.1', '--port', '{port}', `${folder}/deno/serve.ts`],
  },
  'on Bun': { requires: [bun], start: [programOf(bun), `${folder}/bun/server.ts`] },
  'in a Worker': worker([], `${folder}/worker/worker.ts`, '{port}'),
  'in a Worker with D1 and Durable Objects': worker(
    [exampleWithPackages('worker-storage')],
    ...[`${storage}/worker.ts`, '{port}', `${storage}/schema.sql`],
  ),
}

for (const [where, { requires, start, cwd }] of Object.entries(apps)) {
  const test = testWith(requires.find((part) => 'absent' in part) ?? { value: where })
  test(`${where}, the service follows every rule, and the app serves its own page`, async (t) => {
    const { origin } = await serving(t, start, { cwd: join(root, cwd ?? '') })
    await assertFollowsEveryRule(origin)
    const page = await fetch(origin)
    assert.deepEqual([page.status, await page.text()], [200, 'The shelter is open.'])
  })
}

const cloudFunctions = exampleWithPackages('cloud-functions')
testWith(cloudFunctions)(
  'as a Cloud Function, the service reads the body that the platform has parsed, int64 exact',
  async (t, cwd) => {
    const framework = 'node_modules/@google-cloud/functions-framework/build/src/main.js'
    const { origin } = await serving(
      t,
      [...nodeWithTypeScript, framework, '--target=pets', '--port={port}'],
      { cwd },
    )
    const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
    const body = '{"name":"Rex","categoryId":9007199254740993}'
    const created = await fetch(`${origin}/v1/pets`, { method: 'POST', headers, body })
    const animal = '{"id":1,"name":"Rex","categoryId":9007199254740993,"status":"available"}'
    assert.deepEqual([created.status, await created.text()], [201, animal])
    assert.equal(await (await fetch(`${origin}/v1/pets`, { headers })).text(), `[${animal}]`)
    assert.equal(await (await fetch(origin)).text(), 'The shelter is open.')
  },
)

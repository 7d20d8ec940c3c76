import assert from 'node:assert/strict'
import { allOf, mapPart, type Part, testWith } from '../contracts/testing/part.ts'
import { bun, deno, exampleWithPackages, newestNode, root } from './testing/parts.ts'
import { assertFollowsEveryRule } from './testing/rules.ts'
import { type CommandLine, nodeWithTypeScript, serving } from './testing/serving.ts'

/** The command line of an app and its working directory, which is the root of the project by default. */
type Example = Part<readonly [start: CommandLine, cwd?: string]>

const folder = 'adapters/examples'

/** An app of one of the folders, on this Node: a tsconfig.json of the folder counts. */
const onNode = (name: string, file = 'app'): Example =>
  mapPart(exampleWithPackages(name), (cwd) => [[...nodeWithTypeScript, `${file}.ts`], cwd])
/** An app of one of the folders, on Deno. */
const onDeno = (name: string, env: string): Example =>
  mapPart(allOf(deno, exampleWithPackages(name)), ([program]) => [
    [program, 'run', '--allow-net', env, `${folder}/${name}/app.ts`],
  ])
/** A Worker on the program that imitates the platform. */
const worker = (...args: readonly string[]): Example =>
  mapPart(newestNode, (program) => [[program, '.ci/runtimes/serve-worker.mjs', ...args]])
const denoServe = ['serve', '--host', '127.0.0.1', '--port', '{port}', `${folder}/deno/serve.ts`]

/** Apps that mount the service and have a page themselves. */
const apps: Readonly<Record<string, Example>> = {
  'in an Express app': onNode('express'),
  'in a Koa app': onNode('koa'),
  'in a Nest app': onNode('nest'),
  'in a Fastify app': onNode('fastify'),
  'in front of a Hono app on Node': onNode('hono-node'),
  'as a route of a Hono app on Node': onNode('hono-node', 'mount'),
  'as a route of a Hono app on Deno': onDeno('hono-deno', '--allow-env=PORT'),
  'by deno serve': mapPart(deno, (program) => [[program, ...denoServe]]),
  'on Bun': mapPart(bun, (program) => [[program, `${folder}/bun/server.ts`]]),
  'in a Worker': worker(`${folder}/worker/worker.ts`, '{port}'),
}

for (const [where, example] of Object.entries(apps))
  testWith(example)(
    `${where}, the service follows every rule, and the app serves its own page`,
    async (t, [start, cwd = root]) => {
      const { origin } = await serving(t, start, { cwd })
      await assertFollowsEveryRule(origin)
      const page = await fetch(origin)
      assert.deepEqual([page.status, await page.text()], [200, 'The shelter is open.'])
    },
  )

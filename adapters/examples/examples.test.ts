import assert from 'node:assert/strict'
import { join } from 'node:path'
import { type Part, testWith } from '../contracts/testing/part.ts'
import { bun, deno, exampleWithPackages, newestNode, root } from './testing/parts.ts'
import { assertKeepsEveryRule } from './testing/rules.ts'
import { type CommandLine, nodeWithTypeScript, serving } from './testing/serving.ts'

interface Example {
  /** What it needs and may not be there. */
  readonly needs: readonly Part<string>[]
  readonly start: CommandLine
  /** The folder that it runs in; the root of the project by default. */
  readonly cwd?: string
  readonly basePath?: string | undefined
}

const folder = 'adapters/examples'
const programOf = (part: Part<string>) => ('value' in part ? part.value : part.absent)

/** Where the service stands in an app that has a page of its own. */
const apps: Readonly<Record<string, Example>> = {
  'in an Express app': {
    needs: [exampleWithPackages('express')],
    start: [...nodeWithTypeScript, `${folder}/express/app.ts`],
  },
  'in an Express app under a prefix': {
    needs: [exampleWithPackages('express')],
    start: [...nodeWithTypeScript, `${folder}/express/prefix.ts`],
    basePath: '/shelter/v1',
  },
  'in a Koa app': {
    needs: [exampleWithPackages('koa')],
    start: [...nodeWithTypeScript, `${folder}/koa/app.ts`],
  },
  'in a Nest app': {
    needs: [exampleWithPackages('nest')],
    start: [...nodeWithTypeScript, 'app.ts'],
    cwd: `${folder}/nest`, // its tsconfig.json turns decorators on
  },
  'in a Fastify app': {
    needs: [exampleWithPackages('fastify')],
    start: [...nodeWithTypeScript, `${folder}/fastify/app.ts`],
  },
  'in front of a Hono app on Node': {
    needs: [exampleWithPackages('hono-node')],
    start: [...nodeWithTypeScript, `${folder}/hono-node/app.ts`],
  },
  'as a route of a Hono app on Node': {
    needs: [exampleWithPackages('hono-node')],
    start: [...nodeWithTypeScript, `${folder}/hono-node/mount.ts`],
  },
  'in a Hono app on Deno': {
    needs: [exampleWithPackages('hono-deno'), deno],
    start: [programOf(deno), 'run', '--allow-net', '--allow-env=PORT', `${folder}/hono-deno/app.ts`],
  },
  'on Bun': { needs: [bun], start: [programOf(bun), `${folder}/bun/server.ts`] },
  'in a Worker': {
    needs: [newestNode],
    start: [programOf(newestNode), '.ci/runtimes/serve-worker.mjs', `${folder}/worker/worker.ts`, '{port}'],
  },
}

for (const [where, { needs, start, cwd, basePath }] of Object.entries(apps)) {
  const test = testWith(needs.find((part) => 'absent' in part) ?? { value: where })
  test(`${where}, the service keeps every rule, and the app its own pages`, async (t) => {
    const { origin } = await serving(t, start, { cwd: join(root, cwd ?? '') })
    await assertKeepsEveryRule(origin, { basePath })
    const page = await fetch(origin)
    assert.deepEqual([page.status, await page.text()], [200, 'The shelter is open.'])
  })
}

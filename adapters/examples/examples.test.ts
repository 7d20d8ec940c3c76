import assert from 'node:assert/strict'
import { type Part, testWith } from '../contracts/testing/part.ts'
import { bun, deno, exampleWithPackages, newestNode } from './testing/parts.ts'
import { assertKeepsEveryRule } from './testing/rules.ts'
import { type CommandLine, nodeWithTypeScript, serving } from './testing/serving.ts'

interface Example {
  /** What it needs and may not be there. */
  readonly needs: readonly Part<string>[]
  readonly start: CommandLine
}

const folder = 'adapters/examples'
const programOf = (part: Part<string>) => ('value' in part ? part.value : part.absent)

/** Where the service stands in an app that has a page of its own. */
const apps: Readonly<Record<string, Example>> = {
  'in an Express app': {
    needs: [exampleWithPackages('express')],
    start: [...nodeWithTypeScript, `${folder}/express/app.ts`],
  },
  'in a Fastify app': {
    needs: [exampleWithPackages('fastify')],
    start: [...nodeWithTypeScript, `${folder}/fastify/app.ts`],
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

for (const [where, { needs, start }] of Object.entries(apps)) {
  const test = testWith(needs.find((part) => 'absent' in part) ?? { value: where })
  test(`${where}, the service keeps every rule, and the app its own pages`, async (t) => {
    const { origin } = await serving(t, start)
    await assertKeepsEveryRule(origin)
    const page = await fetch(origin)
    assert.deepEqual([page.status, await page.text()], [200, 'The shelter is open.'])
  })
}

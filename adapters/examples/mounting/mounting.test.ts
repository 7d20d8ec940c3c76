import { describe } from 'node:test'
import { combineResources, mapResource, type Resource, testWith } from '../../contracts/testing/resource.ts'
import { assertHandlesInvalidTargets, assertServesPage, assertSharesLimits } from '../testing/apps.ts'
import { bun, deno, findExampleFolder, newestNode, root } from '../testing/parts.ts'
import { assertFollowsEveryRule } from '../testing/rules.ts'
import { type CommandLine, type RunningProgram, startForTest } from '../testing/serving.ts'

/** The command that starts an app, and its working directory, whose tsconfig.json applies. */
type App = Resource<readonly [start: CommandLine, cwd: string]>

const packages = findExampleFolder('mounting')
const folder = 'adapters/examples/mounting'
const onDeno = (file: string): App =>
  mapResource(combineResources(deno, packages), ([program]) => [
    [program, 'run', '--allow-net', '--allow-env=PORT', `${folder}/${file}.ts`],
    root,
  ])

const apps: Readonly<Record<string, App>> = {
  'Hono on Deno': onDeno('hono-deno'),
  Deno: onDeno('deno'),
  'deno serve': mapResource(combineResources(deno, packages), ([program]) => [
    [program, 'serve', '--host', '127.0.0.1', '--port', '{port}', `${folder}/deno-serve.ts`],
    root,
  ]),
  Bun: mapResource(combineResources(bun, packages), ([program]) => [[program, `${folder}/bun.ts`], root]),
  Workers: mapResource(combineResources(newestNode, packages), ([program]) => [
    [program, '.ci/runtimes/serve-worker.mjs', `${folder}/worker.ts`, '{port}'],
    root,
  ]),
}

for (const [name, app] of Object.entries(apps))
  describe(name, () => {
    const test = (title: string, body: (running: RunningProgram) => Promise<void>) =>
      testWith(app)(title, async (t, [start, cwd]) => body(await startForTest(t, start, { cwd })))

    test('follows every rule of the interface', ({ origin }) => assertFollowsEveryRule(origin))

    test('responds to invalid targets', async ({ origin }) => {
      // workerd itself responds with 500 to the other targets.
      await assertHandlesInvalidTargets(origin, (lines) => name === 'Workers' && !/^GET \//.test(lines))
    })

    if (name !== 'deno serve')
      test('shares rate limits with its own route', ({ origin }) => assertSharesLimits(origin))

    test('serves its own page', ({ origin }) => assertServesPage(origin))
  })

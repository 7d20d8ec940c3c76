import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { testWith } from '../../contracts/testing/part.ts'
import { deno, root } from '../testing/parts.ts'
import { assertFollowsEveryRule } from '../testing/rules.ts'
import { type CommandLine, nodeWithTypeScript, serving } from '../testing/serving.ts'

const preload = pathToFileURL(join(root, '.ci/on-port.mjs')).href

const programs: Readonly<Record<string, CommandLine>> = {
  node: [...nodeWithTypeScript, '--import', preload, 'adapters/examples/node.ts'],
  deno: [
    'value' in deno ? deno.value : '',
    'run',
    '--allow-net',
    '--allow-env',
    '--preload',
    preload,
    'adapters/examples/deno.ts',
  ],
}
for (const [name, start] of Object.entries(programs)) {
  testWith(name === 'deno' ? deno : { value: name })(
    `the example for ${name} in the README follows every rule`,
    async (t) => {
      const { origin } = await serving(t, start)
      await assertFollowsEveryRule(origin)
    },
  )
}

/** Runs an example to its end. Returns its stdout; throws if it fails. */
function outputOf(example: string): string {
  const [program, ...args] = nodeWithTypeScript
  const { NODE_TEST_CONTEXT: _, ...env } = process.env // so that the tests of an example run as they do outside of a test
  return execFileSync(program, [...args, `adapters/examples/${example}`], {
    cwd: root,
    env,
    encoding: 'utf8',
  })
}

test('the example of a description writes one of OpenAPI 3.1', () => {
  const { openapi, paths } = JSON.parse(outputOf('openapi.ts'))
  assert.match(openapi, /^3\.1\./)
  assert.equal(paths['/pets'].post['x-stability'], 'beta')
})

test('the example of a test run declares a test for every rule, and all pass', () => {
  const output = outputOf('conformance.ts')
  assert.match(output, /^. fail 0$/m)
  assert.match(output, /LIST-1: .*\n[\s\S]*CREATE-25: /)
})

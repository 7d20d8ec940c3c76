import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'
import { testWith } from '../contracts/testing/part.ts'
import { deno, root } from './testing/parts.ts'
import { assertKeepsEveryRule } from './testing/rules.ts'
import { type CommandLine, nodeWithTypeScript, serving } from './testing/serving.ts'

const preload = join(root, '.ci/on-port.mjs')

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
    `the README's example for ${name} keeps every rule`,
    async (t) => {
      const { origin } = await serving(t, start)
      await assertKeepsEveryRule(origin)
    },
  )
}

/** What an example that ends writes. Throws where it fails. */
function outputOf(example: string): string {
  const [program, ...args] = nodeWithTypeScript
  const { NODE_TEST_CONTEXT: _, ...env } = process.env // an example with tests is not one of this run
  return execFileSync(program, [...args, `adapters/examples/${example}`], {
    cwd: root,
    env,
    encoding: 'utf8',
  })
}

test("the README's example of a description writes one of OpenAPI 3.1", () => {
  const { openapi, paths } = JSON.parse(outputOf('openapi.ts'))
  assert.match(openapi, /^3\.1\./)
  assert.equal(paths['/pets'].post['x-stability'], 'beta')
})

test("the README's example of tests declares one for every rule, and all pass", () => {
  const output = outputOf('conformance.ts')
  assert.match(output, /^. fail 0$/m)
  assert.match(output, /LIST-1: .*\n[\s\S]*CREATE-25: /)
})

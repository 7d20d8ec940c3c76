import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { parse } from 'yaml'
import { lacks } from '../adapters/testing/machine.ts'
import { readCommandLine } from './cli/flags.ts'
import { readOutput } from './cli/output.ts'
import { runOptions } from './cli/run-options.ts'

const readText = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8')
const action = parse(readText('action.yml'))
const workflow = parse(readText('examples/workflow.yml'))
const [step] = action.runs.steps

const folder = mkdtempSync(join(tmpdir(), 'conformance-action-'))
after(() => rmSync(folder, { recursive: true }))
const output = join(folder, 'output')
const calls = join(folder, 'calls')
writeFileSync(join(folder, 'npx'), '#!/bin/sh\nprintf "%s\\n" "$@" > "$CALLS"\nexit "$CODE"\n')
chmodSync(join(folder, 'npx'), 0o755)

/**
 * Runs the step of the action with inputs, and with a program instead of npx. Returns its exit code and the arguments.
 */
async function run(inputs: Readonly<Record<string, string>>, code = 0) {
  writeFileSync(output, '')
  const env = Object.fromEntries(
    Object.entries<string>(step.env).map(([name, expression]) => {
      const [, input = ''] = /^\$\{\{ inputs\.([\w-]+) \}\}$/.exec(expression) ?? []
      return [name, inputs[input] ?? action.inputs[input].default]
    }),
  )
  const child = spawn('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', step.run], {
    env: { PATH: `${folder}:/usr/bin:/bin`, GITHUB_OUTPUT: output, CALLS: calls, CODE: String(code), ...env },
    stdio: 'ignore',
  })
  const exit = await new Promise<number | null>((resolve) => child.on('close', resolve))
  return { exit, args: readFileSync(calls, 'utf8').trimEnd().split('\n') }
}

const base = 'https://a.test/v1'

describe('the GitHub Action', () => {
  it('passes each described input to its script as a variable', () => {
    assert.equal(action.runs.using, 'composite')
    const names = Object.values<string>(step.env).map((text) => /inputs\.([\w-]+)/.exec(text)?.[1])
    assert.deepEqual(names, Object.keys(action.inputs))
    for (const { description } of Object.values<{ description: string }>(action.inputs))
      assert.ok(description)
    assert.doesNotMatch(step.run, /\$\{\{/)
  })

  it('turns every input into a flag that the program reads', { skip: lacks.bash }, async () => {
    const inputs = {
      'base-url': base,
      profile: 'create',
      only: 'LIST,AUTH-1',
      skip: 'LIST-2',
      format: 'junit=a.xml\nhtml=b c.html\n',
    }
    const { exit, args } = await run(inputs)
    const [yes, from, spec, program, ...argv] = args
    assert.deepEqual(
      [yes, from, spec, program],
      ['--yes', '-p', 'pet-adoption-service@1', 'pet-adoption-conformance'],
    )
    const commandLine = readCommandLine(argv)
    const { profile, only, skip } = runOptions(base, commandLine, { PET_ADOPTION_API_KEY: 'a-key' })
    assert.deepEqual([profile, only?.includes('AUTH-1'), skip], ['create', true, ['LIST-2']])
    assert.deepEqual(commandLine.positionals, [base])
    const { shown, files } = readOutput(commandLine)
    const paths = files.map(({ what, path }) => [what, path])
    assert.deepEqual([shown, ...paths], ['github', ['junit report', 'a.xml'], ['html report', 'b c.html']])
    assert.equal(exit, 0)
  })

  it('passes only the address by default, and no input as code', {
    skip: lacks.bash,
  }, async () => {
    const hostile = '$(touch /none); `exit 9` "'
    assert.deepEqual((await run({ 'base-url': hostile })).args.slice(4), ['--format=github', '--', hostile])
  })

  it('passes an address that looks like a flag as an address', { skip: lacks.bash }, async () => {
    const { args } = await run({ 'base-url': '--list' })
    const { positionals, values } = readCommandLine(args.slice(4))
    assert.deepEqual([positionals, values.list], [['--list'], undefined])
  })

  it('fails with the exit code of the suite, and outputs it', {
    skip: lacks.bash,
  }, async () => {
    assert.equal((await run({ 'base-url': base }, 3)).exit, 3)
    assert.equal(readFileSync(output, 'utf8'), 'exit-code=3\n')
  })
})

describe('the example of a workflow', () => {
  const { steps } = workflow.jobs.conformance
  const used = steps.find(({ uses = '' }: { uses?: string }) => uses.endsWith('/conformance'))

  it('uses inputs that the action has, and the key from a secret', () => {
    for (const name of Object.keys(used.with)) assert.ok(name in action.inputs, name)
    assert.match(used.env.PET_ADOPTION_API_KEY, /^\$\{\{ secrets\.\w+ \}\}$/)
    const { files } = JSON.parse(readText('../package.json'))
    assert.ok(files.includes('conformance/action.yml'))
  })

  it('names reports that the program can write', { skip: lacks.bash }, async () => {
    const { args } = await run(used.with)
    assert.ok(readOutput(readCommandLine(args.slice(4))).files.length > 0)
  })

  it('is shown in the manual', () => {
    assert.ok(readText('README.md').includes(readText('examples/workflow.yml')))
  })
})

describe('the manuals', () => {
  it('never call npx with the name of the program only', () => {
    for (const path of [
      'README.md',
      'interface.md',
      'testing/deployments/README.md',
      '../README.md',
      '../adapters/README.md',
    ]) {
      const calls = readText(path)
        .split('\n')
        .filter((line) => /^\s*(?:- run: |\$ )?npx (?:--yes )?pet-adoption-conformance/.test(line))
      assert.deepEqual(calls, [], path)
    }
  })
})

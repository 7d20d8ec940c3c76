import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { parse } from 'yaml'
import { missingFeatures } from '../adapters/testing/machine.ts'
import { readCommandLine } from './cli/flags.ts'
import { readOutput } from './cli/output.ts'
import { readRunOptions } from './cli/run-options.ts'

const readText = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8')
const action = parse(readText('action.yml'))
const workflow = parse(readText('examples/workflow.yml'))
const [step] = action.runs.steps

const folder = mkdtempSync(join(tmpdir(), 'conformance-action-'))
after(() => rmSync(folder, { recursive: true }))
const outputPath = join(folder, 'output')
const calls = join(folder, 'calls')
writeFileSync(join(folder, 'npx'), '#!/bin/sh\nprintf "%s\\n" "$@" > "$CALLS"\nexit "$CODE"\n')
chmodSync(join(folder, 'npx'), 0o755)

/** Runs the action's script, with a program that records its arguments instead of `npx`. */
async function runAction(inputs: Readonly<Record<string, string>>, code = 0) {
  writeFileSync(outputPath, '')
  const actionEnvironment = Object.fromEntries(
    Object.entries<string>(step.env).map(([name, expression]) => {
      const [, input = ''] = /^\$\{\{ inputs\.([\w-]+) \}\}$/.exec(expression) ?? []
      return [name, inputs[input] ?? action.inputs[input].default]
    }),
  )
  const child = spawn('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', step.run], {
    env: {
      PATH: `${folder}:/usr/bin:/bin`,
      GITHUB_OUTPUT: outputPath,
      CALLS: calls,
      CODE: String(code),
      ...actionEnvironment,
    },
    stdio: 'ignore',
  })
  const exit = await new Promise<number | null>((resolve) => child.on('close', resolve))
  return { exit, args: readFileSync(calls, 'utf8').trimEnd().split('\n') }
}

const base = 'https://a.test/v1'

describe('the GitHub Action', () => {
  it('passes its inputs to the script as environment variables', () => {
    assert.equal(action.runs.using, 'composite')
    const names = Object.values<string>(step.env).map((text) => /inputs\.([\w-]+)/.exec(text)?.[1])
    assert.deepEqual(names, Object.keys(action.inputs))
    for (const { description } of Object.values<{ description: string }>(action.inputs))
      assert.ok(description)
    assert.doesNotMatch(step.run, /\$\{\{/)
  })

  it('runs the suite with the arguments from its inputs', { skip: missingFeatures.bash }, async () => {
    const inputs = {
      'base-url': base,
      profile: 'create',
      only: 'LIST,AUTH-1',
      skip: 'LIST-2',
      format: 'junit=a.xml\nhtml=b c.html\n',
    }
    const { exit, args } = await runAction(inputs)
    const [yes, from, spec, program, ...argv] = args
    assert.deepEqual(
      [yes, from, spec, program],
      ['--yes', '-p', 'pet-adoption-service@1', 'pet-adoption-conformance'],
    )
    const commandLine = readCommandLine(argv)
    const { profile, only, skip } = readRunOptions(base, commandLine, { PET_ADOPTION_API_KEY: 'a-key' })
    assert.deepEqual([profile, only?.includes('AUTH-1'), skip], ['create', true, ['LIST-2']])
    assert.deepEqual(commandLine.positionals, [base])
    const { stdoutFormat, files } = readOutput(commandLine)
    const paths = files.map(({ what, path }) => [what, path])
    assert.deepEqual(
      [stdoutFormat, ...paths],
      ['github', ['junit report', 'a.xml'], ['html report', 'b c.html']],
    )
    assert.equal(exit, 0)
  })

  it('does not execute text in its inputs', {
    skip: missingFeatures.bash,
  }, async () => {
    const hostileInput = '$(touch /none); `exit 9` "'
    assert.deepEqual((await runAction({ 'base-url': hostileInput })).args.slice(4), [
      '--format=github',
      '--',
      hostileInput,
    ])
  })

  it('does not read a base URL as a flag', { skip: missingFeatures.bash }, async () => {
    const { args } = await runAction({ 'base-url': '--list' })
    const { positionals, values } = readCommandLine(args.slice(4))
    assert.deepEqual([positionals, values.list], [['--list'], undefined])
  })

  it("fails with the suite's exit code, and outputs it", {
    skip: missingFeatures.bash,
  }, async () => {
    assert.equal((await runAction({ 'base-url': base }, 3)).exit, 3)
    assert.equal(readFileSync(outputPath, 'utf8'), 'exit-code=3\n')
  })
})

describe('the example workflow', () => {
  const { steps } = workflow.jobs.conformance
  const usedStep = steps.find(({ uses = '' }: { uses?: string }) => uses.endsWith('/conformance'))

  it("uses the action's inputs, and a secret for the key", () => {
    for (const name of Object.keys(usedStep.with)) assert.ok(name in action.inputs, name)
    assert.match(usedStep.env.PET_ADOPTION_API_KEY, /^\$\{\{ secrets\.\w+ \}\}$/)
    const { files } = JSON.parse(readText('../package.json'))
    assert.ok(files.includes('conformance/action.yml'))
  })

  it('requests reports that the suite can write', { skip: missingFeatures.bash }, async () => {
    const { args } = await runAction(usedStep.with)
    assert.ok(readOutput(readCommandLine(args.slice(4))).files.length > 0)
  })

  it('is in the manual', () => {
    assert.ok(readText('README.md').includes(readText('examples/workflow.yml')))
  })
})

describe('the manuals', () => {
  it('name the package in every npx command', () => {
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

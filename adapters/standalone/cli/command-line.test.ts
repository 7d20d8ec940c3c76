import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { guessLogFormat, readCommandLine } from './command-line.ts'
import { flagNames, flags } from './flags.ts'
import { formatHelp } from './help.ts'
import type { Environment } from './settings.ts'

const split = (line: string) => line.split(' ').filter((word) => word !== '')

/** Returns the settings of the command line or the environment, as `source=value`. */
function given(line: string, env: Environment = {}): readonly string[] {
  const settings = Object.values(readCommandLine(split(line), env).settings)
  return settings.map(({ source, value }) => `${source}=${value}`)
}

describe('the command line', () => {
  for (const [line, command, operand = ''] of [
    ['', 'serve'],
    ['serve --port 1', 'serve'],
    ['keys list --json', 'keys list'],
    ['keys --json list', 'keys list'],
    ['animals set 7 --name Rex', 'animals set', '7'],
    ['export', 'export', '-'],
    ['--version', 'version'],
    ['nonsense --bogus --help', 'help'],
    ['-h', 'help'],
  ] as const)
    it(`reads "${line}" as the command ${command} ${operand}`, () => {
      const read = readCommandLine(split(line), {})
      assert.deepEqual([read.command, read.operand], [command, operand])
    })

  it('shows the help of a command that is followed by help', () => {
    const helpFor = (line: string) => formatHelp(readCommandLine(split(`${line} --help`), {}).about)
    const help = helpFor('keys list')
    for (const text of ['keys list', '--json', '--data', 'Exit codes']) assert.ok(help.includes(text), text)
    for (const text of ['keys issue', '--port', '--overlap']) assert.ok(!help.includes(text), text)
    assert.match(helpFor('keys'), /keys issue .*keys list .*keys rotate .*keys revoke .*keys import /s)
  })

  it('accepts --flag=value and --flag value', () => {
    for (const line of ['--port=81 --host=::1', '--port 81 --host ::1'])
      assert.deepEqual(given(line), ['--host=::1', '--port=81'])
    assert.deepEqual(given('--data=--odd--'), ['--data=--odd--'])
  })

  it('has an environment variable for each flag of serve; the flag wins', () => {
    for (const name of flagNames) {
      const { env, value, choices, commands, secret } = flags[name]
      if (name === 'help' || name === 'version') continue
      assert.ok(env || !commands.includes('serve'), name)
      if (!env) continue
      const command = commands[0] ?? ''
      const [ofVariable, ofFlag] = value === undefined ? ['on', 'on'] : (choices ?? ['variable', 'flag'])
      const listSources = (line: string) =>
        Object.values(readCommandLine(split(line), { [env]: ofVariable }).settings).map(
          ({ source }) => source,
        )
      assert.deepEqual(listSources(command), [env])
      if (secret) continue
      const flag = value === undefined ? `--${name}` : `--${name} ${ofFlag}`
      assert.deepEqual(listSources(`${command} ${flag}`), [`--${name}`])
    }
  })

  for (const [variable, settings] of [
    ...['1', 'true', 'YES', 'on'].map(
      (on) => [{ PET_ADOPTION_MEMORY: on }, ['PET_ADOPTION_MEMORY=true']] as const,
    ),
    ...['0', 'False', 'no', 'off', ''].map((off) => [{ PET_ADOPTION_MEMORY: off }, []] as const),
    [{ PORT: '', DATABASE_URL: '' }, []],
    [{ PET_ADOPTION_ID: 'of another command' }, []],
  ] as const)
    it(`reads the environment ${JSON.stringify(variable)}`, () => {
      assert.deepEqual(given('', variable), settings)
    })

  it('logs a mistake in the format of --log-format', () => {
    assert.equal(guessLogFormat(['--log=silent', 'nonsense'], { PET_ADOPTION_LOG: 'json' }), 'silent')
    assert.equal(guessLogFormat(['--port'], { PET_ADOPTION_LOG: 'json' }), 'json')
    assert.equal(guessLogFormat(['--log', 'loud'], {}), 'pretty')
  })

  it('lists every flag, variable and default in 80 columns of help', () => {
    const help = formatHelp([])
    for (const name of flagNames) {
      const { env, default: fallback, secret } = flags[name]
      assert.equal(help.includes(`--${name}`), !secret, name)
      if (env) assert.ok(help.includes(env), env)
      if (fallback) assert.match(help.replaceAll(/\s+/g, ' '), new RegExp(`\\(default: ${fallback}\\)`))
    }
    for (const line of (help + formatHelp(['keys issue', 'keys rotate'])).split('\n'))
      assert.ok(line.length <= 80, line)
  })
})

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { guessLogFormat, readCommandLine } from './command-line.ts'
import { flagNames, flags } from './flags.ts'
import { formatHelp } from './help.ts'
import type { Environment } from './process-context.ts'

const split = (line: string) => line.split(' ').filter((word) => word !== '')

/** Parses a command line, and lists the settings with their sources. */
function listSettings(line: string, env: Environment = {}): readonly string[] {
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
    it(`parses "${line}" as ${command} ${operand}`, () => {
      const read = readCommandLine(split(line), {})
      assert.deepEqual([read.command, read.operand], [command, operand])
    })

  it('prints help for the command before --help, and for a group of commands', () => {
    const helpFor = (line: string) => formatHelp(readCommandLine(split(`${line} --help`), {}).helpTopics)
    const help = helpFor('keys list')
    for (const text of ['keys list', '--json', '--data', 'Exit codes']) assert.ok(help.includes(text), text)
    for (const text of ['keys issue', '--port', '--overlap']) assert.ok(!help.includes(text), text)
    assert.match(helpFor('keys'), /keys issue .*keys list .*keys rotate .*keys revoke .*keys import /s)
  })

  it('accepts --flag=value and --flag value', () => {
    for (const line of ['--port=81 --host=::1', '--port 81 --host ::1'])
      assert.deepEqual(listSettings(line), ['--host=::1', '--port=81'])
    assert.deepEqual(listSettings('--data=--odd--'), ['--data=--odd--'])
  })

  it('prefers a flag to its environment variable', () => {
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
    it(`reads environment variables: ${JSON.stringify(variable)}`, () => {
      assert.deepEqual(listSettings('', variable), settings)
    })

  it('finds the log format in an invalid command line', () => {
    assert.equal(guessLogFormat(['--log=silent', 'nonsense'], { PET_ADOPTION_LOG: 'json' }), 'silent')
    assert.equal(guessLogFormat(['--port'], { PET_ADOPTION_LOG: 'json' }), 'json')
    assert.equal(guessLogFormat(['--log', 'loud'], {}), 'pretty')
  })

  it('describes every flag in --help, in 80 columns', () => {
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

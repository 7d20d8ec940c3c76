import assert from 'node:assert/strict'
import { test } from 'node:test'
import { guessLogFormat, readCommandLine } from './command-line.ts'
import { flagNames, flags } from './flags.ts'
import { help } from './help.ts'
import type { Environment } from './settings.ts'

const split = (line: string) => line.split(' ').filter((word) => word !== '')

/** What is set apart from the defaults, as `source=value`. */
function given(line: string, env: Environment = {}): readonly string[] {
  const { settings } = readCommandLine(split(line), env)
  const { settings: defaults } = readCommandLine(line.includes('keygen') ? ['keygen'] : [], {})
  return flagNames.flatMap((name) => {
    const setting = settings[name]
    return setting && setting.value !== defaults[name]?.value ? [`${setting.source}=${setting.value}`] : []
  })
}

test('serve is the command where none is named', () => {
  assert.equal(readCommandLine([], {}).command, 'serve')
  assert.equal(readCommandLine(['--port', '1'], {}).command, 'serve')
  assert.equal(readCommandLine(['serve', '--port', '1'], {}).command, 'serve')
  assert.equal(readCommandLine(['keygen'], {}).command, 'keygen')
})

test('help and version are answered whatever else is said', () => {
  for (const line of ['--help', '-h', 'keygen --help', 'nonsense --bogus --help']) {
    assert.equal(readCommandLine(split(line), { PET_ADOPTION_LOG: 'bad' }).command, 'help')
  }
  assert.equal(readCommandLine(['--version'], {}).command, 'version')
})

test('--flag=value and --flag value are the same', () => {
  assert.deepEqual(given('--port=81 --host=::1'), ['--host=::1', '--port=81'])
  assert.deepEqual(given('--port 81 --host ::1'), ['--host=::1', '--port=81'])
  assert.deepEqual(given('--data=--odd--'), ['--data=--odd--'])
})

test('every flag of serve has an environment variable, and the flag wins', () => {
  for (const name of flagNames) {
    const { env, value, choices, commands, secret } = flags[name]
    if (name === 'help' || name === 'version') continue
    assert.ok(env, name)
    const command = commands[0] ?? ''
    const [theirs, ours] = value === undefined ? ['on', 'on'] : (choices?.slice(1) ?? ['theirs', 'ours'])
    assert.deepEqual(given(command, { [env]: theirs }), [`${env}=${theirs}`])
    if (secret) continue
    const flag = value === undefined ? `--${name}` : `--${name} ${ours}`
    assert.deepEqual(given(`${command} ${flag}`, { [env]: theirs }), [`--${name}=${ours}`])
  }
})

test('an empty variable, and one that belongs to another command, count as none', () => {
  assert.deepEqual(given('', { PORT: '', DATABASE_URL: '' }), [])
  assert.deepEqual(given('keygen', { PORT: '81', PET_ADOPTION_LOG: 'bad' }), [])
})

test('a variable of a flag without a value says on or off', () => {
  for (const on of ['1', 'true', 'YES', 'on']) {
    assert.deepEqual(given('', { PET_ADOPTION_MEMORY: on }), ['PET_ADOPTION_MEMORY=on'])
  }
  for (const off of ['0', 'False', 'no', 'off']) assert.deepEqual(given('', { PET_ADOPTION_MEMORY: off }), [])
})

for (const [line, message, env] of [
  ['--prot 81', 'unknown flag --prot, did you mean --port?; --help lists them all'],
  ['--bogus', 'unknown flag --bogus; --help lists them all'],
  ['-p 81', 'unknown flag -p; --help lists them all'],
  ['--Port 81', 'unknown flag --Port, did you mean --port?; --help lists them all'],
  ['kegen', 'unknown command, did you mean keygen?; --help lists them all'],
  ['frobnicate', 'unknown command; --help lists them all'],
  ['serve animals', 'serve takes flags only: see --help'],
  ['--port', '--port needs a value: --port PORT'],
  ['--port=', '--port needs a value: --port PORT'],
  ['--port --host x', '--port needs a value: --port PORT'],
  ['--memory=yes', '--memory takes no value: write it alone'],
  ['--port 1 --port 2', '--port is given twice: give it once'],
  ['--id me', '--id is a flag of keygen, not of serve'],
  ['keygen --port 1', '--port is a flag of serve, not of keygen'],
  ['--api-key secret', '--api-key would show in lists of processes: set PET_ADOPTION_API_KEY instead'],
  ['--log loud', '--log must be one of pretty, json, silent'],
  ['', 'PET_ADOPTION_LOG must be one of pretty, json, silent', { PET_ADOPTION_LOG: 'loud' }],
  ['', 'PET_ADOPTION_PLAN must be one of free, pro, business, enterprise', { PET_ADOPTION_PLAN: 'gold' }],
  ['', 'PET_ADOPTION_MEMORY must be on or off', { PET_ADOPTION_MEMORY: 'maybe' }],
] as const) {
  test(`it is a misuse that says what to do: ${line || Object.entries(env ?? {}).join()}`, () => {
    assert.throws(() => readCommandLine(split(line), env ?? {}), { name: 'UsageError', message })
  })
}

test('a faulty command line is complained of in the format that it asks for', () => {
  assert.equal(guessLogFormat(['--bogus', '--log', 'json'], {}), 'json')
  assert.equal(guessLogFormat(['--log=silent', 'nonsense'], { PET_ADOPTION_LOG: 'json' }), 'silent')
  assert.equal(guessLogFormat(['--port'], { PET_ADOPTION_LOG: 'json' }), 'json')
  assert.equal(guessLogFormat(['--log', 'loud'], {}), 'pretty')
  assert.equal(guessLogFormat([], {}), 'pretty')
})

test('the help names every flag, its variable and its default, in lines that fit a terminal', () => {
  for (const name of flagNames) {
    const { env, default: fallback, secret } = flags[name]
    assert.equal(help.includes(`--${name}`), !secret, name)
    if (env) assert.ok(help.includes(env), env)
    if (fallback) assert.match(help.replaceAll(/\s+/g, ' '), new RegExp(`\\(default: ${fallback}\\)`))
  }
  for (const line of help.split('\n')) assert.ok(line.length <= 80, line)
})

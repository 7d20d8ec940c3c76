import assert from 'node:assert/strict'
import { test } from 'node:test'
import { guessLogFormat, readCommandLine } from './command-line.ts'
import { flagNames, flags } from './flags.ts'
import { helpOf } from './help.ts'
import type { Environment } from './settings.ts'

const split = (line: string) => line.split(' ').filter((word) => word !== '')

/** Returns the settings that differ from the defaults, as `source=value`. */
function given(line: string, env: Environment = {}): readonly string[] {
  const { settings } = readCommandLine(split(line), env)
  const command = /^(?:keygen|keys \w+)/.exec(line)?.[0] ?? ''
  const { settings: defaults } = readCommandLine(split(command), {})
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

test('the name of a command may have two words, with flags anywhere', () => {
  for (const line of ['keys list --json', '--json keys list', 'keys --json list']) {
    const { command, settings } = readCommandLine(split(line), {})
    assert.deepEqual([command, settings.json?.value], ['keys list', 'on'])
  }
})

test('help after the words of commands is about these commands', () => {
  const aboutOf = (line: string) => readCommandLine(split(line), {}).about
  assert.deepEqual(aboutOf('--help'), [])
  assert.deepEqual(aboutOf('keys issue --help'), ['keys issue'])
  assert.deepEqual(aboutOf('keys --help'), [
    'keys issue',
    'keys list',
    'keys rotate',
    'keys revoke',
    'keys import',
  ])
  const help = helpOf(['keys list'])
  for (const text of ['keys list', '--json', '--data', 'Exit codes']) assert.ok(help.includes(text), text)
  for (const text of ['keys issue', '--port', '--overlap']) assert.ok(!help.includes(text), text)
})

test('help and version win over every other argument', () => {
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
    assert.ok(env || !commands.includes('serve'), name)
    if (!env) continue
    const command = commands[0] ?? ''
    const [ofVariable, ofFlag] =
      value === undefined ? ['on', 'on'] : (choices?.slice(1) ?? ['variable', 'flag'])
    assert.deepEqual(given(command, { [env]: ofVariable }), [`${env}=${ofVariable}`])
    if (secret) continue
    const flag = value === undefined ? `--${name}` : `--${name} ${ofFlag}`
    assert.deepEqual(given(`${command} ${flag}`, { [env]: ofVariable }), [`--${name}=${ofFlag}`])
  }
})

test('an empty variable, and one that belongs to another command, count as none', () => {
  assert.deepEqual(given('', { PORT: '', DATABASE_URL: '' }), [])
  assert.deepEqual(given('keygen', { PORT: '81', PET_ADOPTION_LOG: 'bad' }), [])
})

test('a variable of a flag without a value is on or off', () => {
  for (const on of ['1', 'true', 'YES', 'on']) {
    assert.deepEqual(given('', { PET_ADOPTION_MEMORY: on }), ['PET_ADOPTION_MEMORY=on'])
  }
  for (const off of ['0', 'False', 'no', 'off']) assert.deepEqual(given('', { PET_ADOPTION_MEMORY: off }), [])
})

for (const [line, message, env] of [
  ['--prot 81', 'unknown flag --prot: --help lists all flags'],
  ['--bogus', 'unknown flag --bogus: --help lists all flags'],
  ['-p 81', 'unknown flag -p: --help lists all flags'],
  ['--Port 81', 'unknown flag --Port: --help lists all flags'],
  ['frobnicate', 'unknown command "frobnicate": --help lists all commands'],
  ['a'.repeat(50), `unknown command "${'a'.repeat(40)}": --help lists all commands`],
  ['keys', 'keys requires one of issue, list, rotate, revoke, import after it: keys --help describes them'],
  [
    'keys isue',
    'keys requires one of issue, list, rotate, revoke, import after it: keys --help describes them',
  ],
  ['keys list shelter', 'keys list accepts flags only: --help lists them'],
  ['keys list --label x', '--label is a flag of keys issue, not of keys list'],
  ['serve animals', 'serve accepts flags only: --help lists them'],
  ['--port', '--port requires a value: --port PORT'],
  ['--port=', '--port requires a value: --port PORT'],
  ['--port --host x', '--port requires a value: write --port=PORT if it begins with a dash'],
  ['--memory=yes', '--memory accepts no value: write it alone'],
  ['--port 1 --port 2', '--port is given twice: give it once'],
  ['--id me', '--id is a flag of keygen, keys issue, keys rotate, keys revoke, not of serve'],
  ['keygen --port 1', '--port is a flag of serve, not of keygen'],
  ['--api-key secret', '--api-key would show in lists of processes: set PET_ADOPTION_API_KEY instead'],
  ['--log loud', '--log must be one of pretty, json, silent'],
  ['', 'PET_ADOPTION_LOG must be one of pretty, json, silent', { PET_ADOPTION_LOG: 'loud' }],
  ['', 'PET_ADOPTION_PLAN must be one of free, pro, business, enterprise', { PET_ADOPTION_PLAN: 'gold' }],
  ['', 'PET_ADOPTION_MEMORY must be on or off', { PET_ADOPTION_MEMORY: 'maybe' }],
] as const) {
  test(`the message of a mistake names what to do: ${line || Object.entries(env ?? {}).join()}`, () => {
    assert.throws(() => readCommandLine(split(line), env ?? {}), { name: 'UsageError', message })
  })
}

test('the mistake of a command line is logged in the format that the command line names', () => {
  assert.equal(guessLogFormat(['--bogus', '--log', 'json'], {}), 'json')
  assert.equal(guessLogFormat(['--log=silent', 'nonsense'], { PET_ADOPTION_LOG: 'json' }), 'silent')
  assert.equal(guessLogFormat(['--port'], { PET_ADOPTION_LOG: 'json' }), 'json')
  assert.equal(guessLogFormat(['--log', 'loud'], {}), 'pretty')
  assert.equal(guessLogFormat([], {}), 'pretty')
})

test('the help lists every flag, its variable and its default, in lines of at most 80 characters', () => {
  const help = helpOf([])
  for (const name of flagNames) {
    const { env, default: fallback, secret } = flags[name]
    assert.equal(help.includes(`--${name}`), !secret, name)
    if (env) assert.ok(help.includes(env), env)
    if (fallback) assert.match(help.replaceAll(/\s+/g, ' '), new RegExp(`\\(default: ${fallback}\\)`))
  }
  for (const line of (help + helpOf(['keys issue', 'keys rotate'])).split('\n'))
    assert.ok(line.length <= 80, line)
})

import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { test } from 'node:test'
import { createFileNamer } from '../../contracts/testing/sqlite.ts'
import { missingFeatures } from '../../testing/machine.ts'
import { fail } from '../testing/command.ts'

const newFile = createFileNamer()
const [key, pid] = ['the-key-of-the-tests', String(process.pid)]

const formatConflict = (first: string, second: string) => `${first} and ${second} cannot be used together`
const whole = (source: string, min: number, max: number) =>
  `${source} must be an integer from ${min} to ${max}`
const port = (source: string) => `${whole(source, 0, 65_535)} (0 for any free port)`
const hostPort = (flag: string) =>
  `${flag} must be HOST:PORT, such as 127.0.0.1:9090 or [::1]:9090; port 0 chooses a free port`
const wholePath = /^--listen must be an absolute path of at most 103 bytes, such as unix:\/run/
const text = (flag: string) => `${flag} must be at most 200 characters long, without control characters`
const overlap = '--overlap must be at most six digits followed by s, m, h or d, such as 7d'
const hash = /^--hash must be at least eight hexadecimal digits/
const int64 = (source: string) => `${source} must be an int64, such as 7`
const unicode = '--name must be well-formed Unicode without U+0000'
const noStorage = (command: string) => `${command} requires --data FILE or --postgres URL`
const issue = 'keys issue --data FILE --id a --plan pro'

for (const [line, message, env = {}] of [
  // the command line
  ['--prot 81', /^unknown option "--prot"; expected one of host, port, .*, version$/],
  ['-p 81', /^unknown option "-p"; expected one of host, port, /],
  ['keys list --jsno', 'unknown option "--jsno"; expected one of data, postgres, table, json, help, version'],
  ['frobnicate', /^unknown command "frobnicate"; expected one of serve, keygen, keys issue, .*, migrate$/],
  ['animals sell 7', 'unknown command "animals sell"; expected one of animals set, animals remove'],
  ['keys isue --plan pro', /^unknown command "keys isue"; expected one of keys issue, .*, keys import$/],
  ['animals', 'unknown command "animals"; expected one of animals set, animals remove'],
  ['keys list shelter', 'keys list does not take an argument: --help lists its flags'],
  ['animals remove 1 2', 'animals remove requires one ID: --help describes it'],
  ['import', 'import requires one FILE|-: --help describes it'],
  ['keygen --port 1', '--port is a flag of serve, not of keygen'],
  ['--port', '--port requires a value: --port PORT'],
  ['--port=', '--port requires a value: --port PORT'],
  ['--port --host x', '--port requires a value: --port PORT'],
  ['--memory=yes', '--memory does not take a value'],
  ['--port 1 --port 2', '--port was given twice: give it once'],
  ['--api-key secret', '--api-key would be visible in process lists: set PET_ADOPTION_API_KEY instead'],
  ['--log loud', '--log must be one of pretty, json, silent'],
  ['', 'PET_ADOPTION_LOG must be one of pretty, json, silent', { PET_ADOPTION_LOG: 'loud' }],
  ['', 'PET_ADOPTION_MEMORY must be on or off', { PET_ADOPTION_MEMORY: 'maybe' }],
  // addresses
  ['--port 65536', port('--port')],
  ['--port 8e3', port('--port')],
  ['', port('PORT'), { PORT: 'http' }],
  ['--listen localhost:65536', port('the port of --listen')],
  ['--listen ::1:8080', hostPort('--listen')],
  ['--listen :8080', hostPort('--listen')],
  ['--listen unix:pets.sock', wholePath],
  [`--listen unix:/${'x'.repeat(103)}`, wholePath],
  ['--listen [::1]:1 --port 8080', formatConflict('--listen', '--port')],
  ['', formatConflict('PET_ADOPTION_LISTEN', 'HOST'), { PET_ADOPTION_LISTEN: '[::1]:1', HOST: '1' }],
  ['--metrics-listen unix:/run/metrics', hostPort('--metrics-listen')],
  ['', 'LISTEN_FDS=2: pass exactly one socket', { LISTEN_FDS: '2', LISTEN_PID: pid }],
  [
    '',
    new RegExp(`^LISTEN_FDS passes sockets to process 1, but this is process ${pid}: `),
    { LISTEN_PID: '1' },
  ],
  ['', /process \(LISTEN_PID is not set\), but this is process/, { LISTEN_FDS: '1' }],
  ['--port 1', /^LISTEN_FDS and --port cannot be used together: the supervisor/, { LISTEN_PID: pid }],
  ['', /^LISTEN_FDS and HOST cannot be used together: the supervisor/, { LISTEN_PID: pid, HOST: '::' }],
  // the service
  ['--base-path v1', '--base-path must be a path such as "/v1"'],
  ['', 'PET_ADOPTION_BASE_PATH must be a path such as "/v1"', { PET_ADOPTION_BASE_PATH: '/' }],
  ['--trust-proxy all', '--trust-proxy: "all" is not a network such as 10.0.0.0/8'],
  // storage and Redis
  ['--memory --data FILE', formatConflict('--memory', '--data')],
  ['', formatConflict('PET_ADOPTION_DATA', 'DATABASE_URL'), { PET_ADOPTION_DATA: 'x', DATABASE_URL: 'x' }],
  ['--data FILE --table dogs', '--table requires --postgres'],
  ['--postgres-pool 5', '--postgres-pool requires --postgres'],
  [
    '--postgres x --table Dogs',
    '--table must be a table name such as pets or shelter.pets, with only a-z, 0-9 and _',
  ],
  ['--postgres x --postgres-pool 1', whole('--postgres-pool', 3, 1_000)],
  ['--postgres x --postgres-pool 1001', whole('--postgres-pool', 3, 1_000)],
  ['--redis-failure-mode open', '--redis-failure-mode requires --redis'],
  ['--max-connections 0', whole('--max-connections', 1, 10_000)],
  ['', whole('PET_ADOPTION_MAX_CONNECTIONS', 1, 10_000), { PET_ADOPTION_MAX_CONNECTIONS: '10001' }],
  // keys of the server
  [
    '',
    /_KEYS and .*_API_KEY cannot be used together/,
    { PET_ADOPTION_KEYS: 'k.json', PET_ADOPTION_API_KEY: key },
  ],
  ['--keys k.json --plan free', /^--plan and --keys cannot be used together: each key in a keys file/],
  ['', /^PET_ADOPTION_API_KEY must be at least 20 letters.*keygen/, { PET_ADOPTION_API_KEY: key.slice(1) }],
  ['', /^PET_ADOPTION_API_KEY must be at least/, { PET_ADOPTION_API_KEY: 'a key of twenty letters' }],
  ['--plan free --day 5', '--day is only for the enterprise plan: remove it'],
  ['--plan enterprise --minute 5', 'the enterprise plan requires --minute N and --day N'],
  ['--plan enterprise --minute 0 --day 5', whole('--minute', 1, 100_000_000)],
  ['--plan enterprise --minute 060 --day 70', whole('--minute', 1, 100_000_000)],
  ['--plan enterprise --minute 5 --day 100000001', whole('--day', 1, 100_000_000)],
  // key commands
  ['keys issue --id x --plan pro', noStorage('keys issue')],
  ['keys issue --data FILE --plan pro', '--id is missing: give --id NAME, which identifies the caller'],
  ['keys issue --data FILE --id a', '--plan is missing: give free, pro, business or enterprise'],
  ['keygen --id a\u001b[2J --plan pro', text('--id')],
  [`${issue} --label ${'x'.repeat(201)}`, text('--label')],
  [`${issue} --label ${'🐶'.repeat(201)}`, text('--label')],
  ...['a\u202eb', 'a\nb', '\ud83d'].map((label) => [`${issue} --label ${label}`, text('--label')] as const),
  [`${issue} --expires 2026-01-01`, '--expires must be in the future'],
  [`${issue} --expires tomorrow`, /^--expires must be a date, or a time with its zone, such as /],
  ...['7', 'd', '7w', '1.5h', '-1d', '1000000s', '1e3s', '7D'].map(
    (value) => [`keys rotate --data FILE --id a --overlap=${value}`, overlap] as const,
  ),
  ['keys revoke --data FILE', 'keys revoke requires --id NAME or --hash PREFIX'],
  ['keys revoke --data FILE --id a --hash b', formatConflict('--id', '--hash')],
  ...['xyz', 'abcdef0', 'a'.repeat(65)].map(
    (value) => [`keys revoke --data FILE --hash ${value}`, hash] as const,
  ),
  // animal commands
  ['animals remove 1', noStorage('animals remove')],
  ['animals remove Rex --data FILE', int64('the animal id')],
  ['animals remove 9223372036854775808 --data FILE', int64('the animal id')],
  ['animals set 1 --data FILE', /^animals set requires --name TEXT, --category N or --status STATUS$/],
  ['animals set 1 --status gone --data FILE', '--status must be one of available, pending, sold, none'],
  ['animals set 1 --category 1.5 --data FILE', int64('--category')],
  ['animals set 1 --category 9223372036854775808 --data FILE', int64('--category')],
  [`animals set 1 --name ${'x'.repeat(1001)} --data FILE`, '--name must be at most 1000 characters'],
  ['animals set 1 --name a\0b --data FILE', unicode],
  ['animals set 1 --name \ud800 --data FILE', unicode],
  // secrets
  ['--postgres mysql://u:secret@a/pets', /^--postgres is not a database URL: write postgres:/],
  [
    '--postgres postgres://a/secret?query_timeout=3',
    /^--postgres has the parameter query_timeout: remove it/,
  ],
  ['--port 0 --redis nothing:secret', /^--redis is not a valid Redis address: expected redis:\/\/HOST:PORT/],
  [
    '--port 0',
    /^REDIS_URL is not a valid Redis address: percent-encode/,
    { REDIS_URL: 'redis://:secret%@a' },
  ],
  ['import --data FILE /nowhere/animals.ndjson', /^cannot read \/nowhere\/animals\.ndjson: ENOENT/],
] satisfies readonly (readonly [string, string | RegExp, Readonly<Record<string, string>>?])[]) {
  const variables = Object.entries(env).join()
  const skip = /unix:/.test(line) && missingFeatures.unixSockets

  test(`reports a usage mistake: ${JSON.stringify(line.slice(0, 50) || variables)}`, {
    skip,
  }, async () => {
    const file = newFile()
    const inherited = 'LISTEN_PID' in env && { LISTEN_FDS: '1' }
    const [code, told] = await fail(line.replace('FILE', file), { env: { ...inherited, ...env } })
    if (typeof message === 'string') assert.equal(told, message)
    else assert.match(told, message)
    assert.doesNotMatch(told, /secret/)
    assert.equal(code, 2)
    assert.ok(!existsSync(file))
  })
}

const noFile = (path: string) => `--data: the file ${path} does not exist`
for (const [line, message, env = {}] of [
  ['keys list --data FILE', noFile],
  ['keys rotate --id x --data FILE', noFile],
  ['keys revoke --id x --data FILE', noFile],
  ['animals set 1 --name Rex --data FILE', noFile],
  ['animals remove 1 --data FILE', noFile],
  ['export --data FILE', noFile],
  ['keys list --postgres postgres://me:secret@127.0.0.1:1/db', /^--postgres: .*ECONNREFUSED/],
  ['--port 0', /^DATABASE_URL: .*ECONNREFUSED/, { DATABASE_URL: 'postgres://me:secret@127.0.0.1:1/db' }],
  ['--port 0 --keys /nowhere/keys.json', /^keys file \/nowhere\/keys\.json: ENOENT/],
  ['--host 192.0.2.1', /^--host: cannot listen on port 8080 of 192\.0\.2\.1: not an address of this machine/],
  ['', /^HOST and PORT: cannot listen on port 81 of 192\.0\.2\.1: not an/, { HOST: '192.0.2.1', PORT: '81' }],
  ['', /^PET_ADOPTION_LISTEN: cannot listen on port 81 of/, { PET_ADOPTION_LISTEN: '192.0.2.1:81' }],
] satisfies readonly (readonly [
  string,
  RegExp | ((path: string) => string),
  Readonly<Record<string, string>>?,
])[])
  test(`reports a failed start: ${line} ${Object.keys(env)}`, async () => {
    const file = newFile()
    const [code, told] = await fail(line.replace('FILE', file), { env })
    if (typeof message === 'function') assert.equal(told, message(file))
    else assert.match(told, message)
    assert.deepEqual([code, told.split('\n').length], [1, 1])
    assert.doesNotMatch(told, /secret/)
    assert.ok(!existsSync(file))
  })

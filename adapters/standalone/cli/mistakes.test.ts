import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { test } from 'node:test'
import { temporaryFiles } from '../../contracts/testing/sqlite.ts'
import { lacks } from '../../testing/machine.ts'
import { fail } from '../testing/command.ts'

const newFile = temporaryFiles()
const [key, pid] = ['the-key-of-the-tests', String(process.pid)]

const excluding = (first: string, second: string) =>
  `${first} and ${second} cannot be used together: give one of them`
const whole = (source: string, min: number, max: number) =>
  `${source} must be a whole number from ${min} to ${max}`
const port = (source: string) => `${whole(source, 0, 65_535)}, 0 for any free port`
const hostPort = (flag: string) =>
  `${flag} must be HOST:PORT, such as 127.0.0.1:9090 or [::1]:9090, with port 0 for any free one`
const wholePath = /^--listen must name the socket by its whole path of at most 103 bytes, such as unix:\/run/
const text = (flag: string) => `${flag} must be at most 200 characters long, without control characters`
const overlap = '--overlap must be a number of up to six digits and s, m, h or d, such as 7d'
const hash = /^--hash must be at least eight hexadecimal digits/
const int64 = (source: string) => `${source} must be an int64, such as 7`
const unicode = '--name must be well-formed Unicode without U+0000'
const noStorage = (command: string) =>
  `${command} requires a storage for the animals: --data FILE or --postgres URL`
const issue = 'keys issue --data FILE --id a --plan pro'

for (const [line, message, env = {}] of [
  // Words and flags.
  ['--prot 81', 'unknown flag --prot: --help lists all flags'],
  ['-p 81', 'unknown flag -p: --help lists all flags'],
  ['frobnicate', 'unknown command "frobnicate": --help lists all commands'],
  ['animals sell 7', 'unknown command "animals": --help lists animals set, animals remove'],
  ['keys list shelter', 'keys list accepts flags only: --help lists them'],
  ['animals remove 1 2', 'animals remove requires one ID: --help describes it'],
  ['import', 'import requires one FILE|-: --help describes it'],
  ['keygen --port 1', '--port is a flag of serve, not of keygen'],
  ['--port', '--port requires a value: --port=PORT'],
  ['--port=', '--port requires a value: --port=PORT'],
  ['--port --host x', '--port requires a value: --port=PORT'],
  ['--memory=yes', '--memory does not take a value'],
  ['--port 1 --port 2', '--port is given twice: give it once'],
  ['--api-key secret', '--api-key would show in lists of processes: set PET_ADOPTION_API_KEY instead'],
  ['--log loud', '--log must be one of pretty, json, silent'],
  ['', 'PET_ADOPTION_LOG must be one of pretty, json, silent', { PET_ADOPTION_LOG: 'loud' }],
  ['', 'PET_ADOPTION_MEMORY must be on or off', { PET_ADOPTION_MEMORY: 'maybe' }],
  // Mistakes in the address to listen on.
  ['--port 65536', port('--port')],
  ['--port 8e3', port('--port')],
  ['', port('PORT'), { PORT: 'http' }],
  ['--listen localhost:65536', port('the port of --listen')],
  ['--listen ::1:8080', hostPort('--listen')],
  ['--listen :8080', hostPort('--listen')],
  ['--listen unix:pets.sock', wholePath],
  [`--listen unix:/${'x'.repeat(103)}`, wholePath],
  ['--listen [::1]:1 --port 8080', excluding('--listen', '--port')],
  ['', excluding('PET_ADOPTION_LISTEN', 'HOST'), { PET_ADOPTION_LISTEN: '[::1]:1', HOST: '1' }],
  ['--metrics-listen unix:/run/metrics', hostPort('--metrics-listen')],
  ['', 'LISTEN_FDS=2: hand over one socket', { LISTEN_FDS: '2', LISTEN_PID: pid }],
  [
    '',
    new RegExp(`^LISTEN_FDS hands sockets to process 1, and this is process ${pid}: `),
    { LISTEN_PID: '1' },
  ],
  ['', /process \(LISTEN_PID is not set\), and this is process/, { LISTEN_FDS: '1' }],
  ['--port 1', /^LISTEN_FDS and --port cannot be used together: the supervisor/, { LISTEN_PID: pid }],
  ['', /^LISTEN_FDS and HOST cannot be used together: the supervisor/, { LISTEN_PID: pid, HOST: '::' }],
  // Options of the service.
  ['--base-path v1', '--base-path must be a path such as "/v1"'],
  ['', 'PET_ADOPTION_BASE_PATH must be a path such as "/v1"', { PET_ADOPTION_BASE_PATH: '/' }],
  ['--trust-proxy all', '--trust-proxy: "all" is not a network such as 10.0.0.0/8'],
  // Storages.
  ['--memory --data FILE', excluding('--memory', '--data')],
  ['', excluding('PET_ADOPTION_DATA', 'DATABASE_URL'), { PET_ADOPTION_DATA: 'x', DATABASE_URL: 'x' }],
  ['--data FILE --table dogs', '--table requires --postgres: give both'],
  ['--postgres-pool 5', '--postgres-pool requires --postgres: give both'],
  ['--postgres x --table Dogs', '--table must be a name such as pets or shelter.pets, of a-z, 0-9 and _'],
  ['--postgres x --postgres-pool 1', whole('--postgres-pool', 3, 1_000)],
  ['--postgres x --postgres-pool 1001', whole('--postgres-pool', 3, 1_000)],
  ['--redis-down open', '--redis-down requires --redis: give both'],
  ['--max-connections 0', whole('--max-connections', 1, 10_000)],
  ['', whole('PET_ADOPTION_MAX_CONNECTIONS', 1, 10_000), { PET_ADOPTION_MAX_CONNECTIONS: '10001' }],
  // The keys of a server.
  [
    '',
    /_KEYS and .*_API_KEY cannot be used together/,
    { PET_ADOPTION_KEYS: 'k.json', PET_ADOPTION_API_KEY: key },
  ],
  ['--keys k.json --plan free', /^--plan and --keys cannot be used together: in a keys file each key/],
  ['', /^PET_ADOPTION_API_KEY must be at least 20 letters.*keygen/, { PET_ADOPTION_API_KEY: key.slice(1) }],
  ['', /^PET_ADOPTION_API_KEY must be at least/, { PET_ADOPTION_API_KEY: 'a key of twenty letters' }],
  ['--plan free --day 5', '--day is for the plan enterprise only: leave it out'],
  ['--plan enterprise --minute 5', 'the plan enterprise requires both --minute N and --day N'],
  ['--plan enterprise --minute 0 --day 5', whole('--minute', 1, 100_000_000)],
  ['--plan enterprise --minute 060 --day 70', whole('--minute', 1, 100_000_000)],
  ['--plan enterprise --minute 5 --day 100000001', whole('--day', 1, 100_000_000)],
  // Commands for keys.
  ['keys issue --id x --plan pro', noStorage('keys issue')],
  ['keys issue --data FILE --plan pro', '--id is missing: give --id NAME, which names the caller of the key'],
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
  ['keys revoke --data FILE --id a --hash b', excluding('--id', '--hash')],
  ...['xyz', 'abcdef0', 'a'.repeat(65)].map(
    (value) => [`keys revoke --data FILE --hash ${value}`, hash] as const,
  ),
  // Commands for animals.
  ['animals remove 1', noStorage('animals remove')],
  ['animals remove Rex --data FILE', int64('the id of an animal')],
  ['animals remove 9223372036854775808 --data FILE', int64('the id of an animal')],
  ['animals set 1 --data FILE', /what to change: --name TEXT, --category N or --status STATUS$/],
  ['animals set 1 --status gone --data FILE', '--status must be one of available, pending, sold, none'],
  ['animals set 1 --category 1.5 --data FILE', int64('--category')],
  ['animals set 1 --category 9223372036854775808 --data FILE', int64('--category')],
  [`animals set 1 --name ${'x'.repeat(1001)} --data FILE`, '--name must be at most 1000 characters'],
  ['animals set 1 --name a\0b --data FILE', unicode],
  ['animals set 1 --name \ud800 --data FILE', unicode],
  // Addresses.
  ['--postgres mysql://u:secret@a/pets', /^--postgres is not the address of a database: write postgres:/],
  [
    '--postgres postgres://u:secret@a:1,b:2/pets',
    /^--postgres is not the address of a database: .* one host/,
  ],
  ['--postgres postgres://u:secret@a,b/pets', /^--postgres is not the address of a database: .* one host/],
  [
    '--postgres postgres://a/secret?query_timeout=3',
    /^--postgres has the parameter query_timeout: remove it/,
  ],
  ['--port 0 --redis nothing:secret', /^--redis is not an address of Redis: give redis:\/\/HOST:PORT/],
  ['--port 0', /^REDIS_URL is not an address of Redis/, { REDIS_URL: 'nothing:secret' }],
  ['import --data FILE /nowhere/animals.ndjson', /^\/nowhere\/animals\.ndjson cannot be read: ENOENT/],
] satisfies readonly (readonly [string, string | RegExp, Readonly<Record<string, string>>?])[]) {
  const variables = Object.entries(env).join()
  const skip = /unix:/.test(line) && lacks.unixSockets

  test(`exits with 2: ${JSON.stringify(line.slice(0, 50) || variables)}`, {
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
  test(`exits with 1 and creates nothing: ${line} ${Object.keys(env)}`, async () => {
    const file = newFile()
    const [code, told] = await fail(line.replace('FILE', file), { env })
    if (typeof message === 'function') assert.equal(told, message(file))
    else assert.match(told, message)
    assert.deepEqual([code, told.split('\n').length], [1, 1])
    assert.doesNotMatch(told, /secret/)
    assert.ok(!existsSync(file))
  })

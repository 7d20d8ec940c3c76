import assert from 'node:assert/strict'
import { test } from 'node:test'
import { configure } from './testing/configure.ts'

const key = 'the-key-of-the-tests'

test('every setting has a default, but the proxies that are trusted', () => {
  assert.deepEqual(configure(''), {
    listening: {
      address: { kind: 'tcp', host: '127.0.0.1', port: 8080 },
      flags: { host: '--host', port: '--port' },
    },
    service: { basePath: '/v1' },
    docs: true,
    metrics: undefined,
    log: { addresses: false, health: true },
    keys: { kind: 'stored', plan: { plan: 'business' } },
    storage: undefined,
    migrates: true,
    limiter: { redis: undefined, redisDown: 'local' },
  })
})

test('proxies are a number of hops, or networks', () => {
  assert.equal(configure('--trust-proxy 2').service.trustProxy, 2)
  assert.deepEqual(configure('', { PET_ADOPTION_TRUST_PROXY: '10.0.0.0/8, fd00::/8' }).service.trustProxy, [
    '10.0.0.0/8',
    'fd00::/8',
  ])
})

test('origins whose pages may call are a list', () => {
  assert.deepEqual(configure('--cors https://example.com,http://localhost:5173').service.cors, [
    'https://example.com',
    'http://localhost:5173',
  ])
  assert.deepEqual(configure('', { PET_ADOPTION_CORS: '*' }).service.cors, ['*'])
  assert.throws(
    () => configure('--cors https://example.com/app'),
    /^UsageError: --cors must be "\*" or origins/,
  )
})

test('the documentation is optional, and so are metrics', () => {
  assert.deepEqual([configure('').docs, configure('').metrics], [true, undefined])
  assert.deepEqual([configure('--no-docs').docs, configure('--metrics').metrics], [false, 'main'])
})

test('lines of requests have addresses, and health checks none, on request', () => {
  assert.deepEqual(configure('--log-address').log, { addresses: true, health: true })
  assert.deepEqual(configure('', { PET_ADOPTION_NO_LOG_HEALTH: 'on' }).log, {
    addresses: false,
    health: false,
  })
})

test('keys are those of a file, of the environment, or stored', () => {
  assert.deepEqual(configure('--keys k.json').keys, { kind: 'file', path: 'k.json' })
  assert.deepEqual(configure('', { PET_ADOPTION_API_KEY: key }).keys, {
    kind: 'given',
    key,
    plan: { plan: 'business' },
  })
  assert.deepEqual(configure('--plan free').keys, { kind: 'stored', plan: { plan: 'free' } })
  assert.deepEqual(
    configure('', { PET_ADOPTION_PLAN: 'enterprise', PET_ADOPTION_MINUTE: '5', PET_ADOPTION_DAY: '50' }).keys,
    { kind: 'stored', plan: { plan: 'enterprise', limits: { minute: 5, day: 50 } } },
  )
})

test('a keys file on the command line wins over a key in the environment, and over its plan', () => {
  const env = { PET_ADOPTION_API_KEY: key, PET_ADOPTION_PLAN: 'free' }
  assert.deepEqual(configure('--keys k.json', env).keys, { kind: 'file', path: 'k.json' })
})

test('storage on the command line wins over storage in the environment', () => {
  const env = { DATABASE_URL: 'postgres://x', PET_ADOPTION_DATA: 'x.sqlite' }
  assert.equal(configure('--memory', env).storage?.kind, 'memory')
  assert.deepEqual(configure('--data y.sqlite', env).storage, {
    kind: 'data',
    value: 'y.sqlite',
    source: '--data',
  })
  assert.deepEqual(configure('', { DATABASE_URL: 'postgres://x' }).storage, {
    kind: 'postgres',
    value: 'postgres://x',
    source: 'DATABASE_URL',
    table: 'pets',
    poolSize: 10,
  })
})

test('PostgreSQL has a table and a number of connections, also from the environment', () => {
  const { storage } = configure('--postgres postgres://x --table shelter.dogs', {
    PET_ADOPTION_POSTGRES_POOL: '3',
  })
  assert.deepEqual([storage?.table, storage?.poolSize], ['shelter.dogs', 3])
  assert.equal(configure('--memory', { PET_ADOPTION_TABLE: 'dogs' }).storage?.table, undefined)
})

for (const [line, message, env] of [
  ['--base-path v1', '--base-path must be a path such as "/v1"'],
  ['', 'PET_ADOPTION_BASE_PATH must be a path such as "/v1"', { PET_ADOPTION_BASE_PATH: '/' }],
  ['--trust-proxy all', '--trust-proxy: "all" is not a network such as 10.0.0.0/8'],
  ['--memory --data x', '--memory and --data exclude each other: give one of them'],
  [
    '',
    'PET_ADOPTION_DATA and DATABASE_URL exclude each other: give one of them',
    { PET_ADOPTION_DATA: 'x', DATABASE_URL: 'y' },
  ],
  [
    '',
    'PET_ADOPTION_KEYS and PET_ADOPTION_API_KEY exclude each other: give one of them',
    { PET_ADOPTION_KEYS: 'k.json', PET_ADOPTION_API_KEY: key },
  ],
  [
    '--keys k.json --plan free',
    '--plan and --keys exclude each other: in a keys file each key has its own plan',
  ],
  [
    '',
    'PET_ADOPTION_API_KEY must consist of letters, digits and -._~+/ only: no caller can send any other key',
    { PET_ADOPTION_API_KEY: 'a b' },
  ],
  [
    '',
    'PET_ADOPTION_API_KEY must be at least 20 characters long: make a key with pet-adoption-service keygen --id NAME --plan PLAN',
    { PET_ADOPTION_API_KEY: key.slice(1) },
  ],
  ['--data x --table dogs', '--table requires --postgres: give both'],
  ['--postgres-pool 5', '--postgres-pool requires --postgres: give both'],
  ['--postgres x --table Dogs', '--table must be a name such as pets or shelter.pets, of a-z, 0-9 and _'],
  ['--postgres x --postgres-pool 1', '--postgres-pool must be a whole number from 2 to 1000'],
  ['--postgres x --postgres-pool 1001', '--postgres-pool must be a whole number from 2 to 1000'],
  ['--plan free --day 5', '--day is for the plan enterprise only: leave it out'],
  ['--plan enterprise --minute 5', 'the plan enterprise requires both --minute N and --day N'],
  ['--plan enterprise --minute 0 --day 5', '--minute must be a whole number from 1 to 100000000'],
  ['--plan enterprise --minute 5 --day 100000001', '--day must be a whole number from 1 to 100000000'],
] as const) {
  test(`the message of an invalid setting names what to do: ${line || Object.entries(env ?? {}).join()}`, () => {
    assert.throws(() => configure(line, env ?? {}), { name: 'UsageError', message })
  })
}

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { configure } from './testing/configure.ts'

const key = 'the-key-of-the-tests'

test('every setting has a default, but the proxies that are trusted', () => {
  assert.deepEqual(configure(''), {
    listening: { kind: 'tcp', host: '127.0.0.1', port: 8080 },
    service: {},
    docs: true,
    metrics: undefined,
    log: { addresses: false, health: true },
    keys: { kind: 'stored', plan: { plan: 'business' } },
    storage: undefined,
    migrates: true,
    limiter: { redis: undefined, redisDown: 'local' },
  })
})

const given = { kind: 'given', key, plan: { plan: 'business' } } as const
const database = { DATABASE_URL: 'postgres://x' }
const postgres = { kind: 'postgres', value: 'postgres://x', source: 'DATABASE_URL' } as const
for (const [line, part, expected, env = {}] of [
  ['--trust-proxy 2 --base-path /x', 'service', { basePath: '/x', trustProxy: 2 }],
  ['--trust-proxy 10.0.0.0/8,fd00::/8', 'service', { trustProxy: ['10.0.0.0/8', 'fd00::/8'] }],
  ['--cors https://a.example,http://b:5173', 'service', { cors: ['https://a.example', 'http://b:5173'] }],
  ['--no-docs', 'docs', false],
  ['--metrics', 'metrics', 'main'],
  ['--log-address', 'log', { addresses: true, health: true }],
  ['', 'log', { addresses: false, health: false }, { PET_ADOPTION_NO_LOG_HEALTH: 'on' }],
  ['', 'keys', given, { PET_ADOPTION_API_KEY: key }],
  ['--plan free', 'keys', { kind: 'stored', plan: { plan: 'free' } }],
  // The command line wins over the environment.
  ['--keys k.json', 'keys', { kind: 'file', path: 'k.json' }, { PET_ADOPTION_API_KEY: key }],
  ['--data y', 'storage', { kind: 'data', value: 'y', source: '--data' }, database],
  ['--data y', 'storage', { kind: 'data', value: 'y', source: '--data' }, { PET_ADOPTION_TABLE: 'dogs' }],
  ['', 'storage', postgres, database],
  ['--table a.dogs --postgres-pool 3', 'storage', { ...postgres, table: 'a.dogs', poolSize: 3 }, database],
] as const)
  test(`the ${part} of "${line}" with ${JSON.stringify(env)}`, () => {
    assert.deepEqual(configure(line, env)[part], expected)
  })

for (const [line, message, env] of [
  ['--base-path v1', '--base-path must be a path such as "/v1"'],
  ['', 'PET_ADOPTION_BASE_PATH must be a path such as "/v1"', { PET_ADOPTION_BASE_PATH: '/' }],
  ['--trust-proxy all', '--trust-proxy: "all" is not a network such as 10.0.0.0/8'],
  ['--memory --data x', '--memory and --data exclude each other: give one of them'],
  ['', /^PET_ADOPTION_DATA and DATABASE_URL exclude/, { PET_ADOPTION_DATA: 'x', ...database }],
  ['', /_KEYS and .*_API_KEY exclude/, { PET_ADOPTION_KEYS: 'k.json', PET_ADOPTION_API_KEY: key }],
  ['--keys k.json --plan free', /^--plan and --keys exclude each other: in a keys file each key/],
  ...['a key of twenty letters', key.slice(1)].map(
    (bad) =>
      [
        '',
        /^PET_ADOPTION_API_KEY must be at least 20 letters.*keygen/,
        { PET_ADOPTION_API_KEY: bad },
      ] as const,
  ),
  ['--data x --table dogs', '--table requires --postgres: give both'],
  ['--postgres-pool 5', '--postgres-pool requires --postgres: give both'],
  ['--postgres x --table Dogs', '--table must be a name such as pets or shelter.pets, of a-z, 0-9 and _'],
  ['--postgres x --postgres-pool 1', '--postgres-pool must be a whole number from 2 to 1000'],
  ['--postgres x --postgres-pool 1001', '--postgres-pool must be a whole number from 2 to 1000'],
  ['--plan free --day 5', '--day is for the plan enterprise only: leave it out'],
  ['--plan enterprise --minute 5', 'the plan enterprise requires both --minute N and --day N'],
  ['--plan enterprise --minute 0 --day 5', '--minute must be a whole number from 1 to 100000000'],
  ['--plan enterprise --minute 060 --day 70', '--minute must be a whole number from 1 to 100000000'],
  ['--plan enterprise --minute 5 --day 100000001', '--day must be a whole number from 1 to 100000000'],
] as const)
  test(`the message of an invalid setting names what to do: ${line || Object.entries(env ?? {}).join()}`, () => {
    assert.throws(() => configure(line, env ?? {}), { name: 'UsageError', message })
  })

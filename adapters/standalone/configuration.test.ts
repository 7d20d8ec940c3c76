import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { missingFeatures } from '../testing/machine.ts'
import { readCommandLine } from './cli/command-line.ts'
import type { Environment } from './cli/process-context.ts'
import type { Settings } from './cli/settings.ts'
import { type Configuration, readConfiguration } from './configuration.ts'
import { readNewKey, readPlan, readSelection } from './keys/key-settings.ts'
import type { InheritedSocket } from './lifecycle/listen-address.ts'
import { readInheritedSocket } from './lifecycle/listen-settings.ts'

const key = 'the-key-of-the-tests'

const readSettings = (line: string, env: Environment) => readCommandLine(line.split(' '), env).settings

function configure(line: string, env: Environment = {}, inherited?: InheritedSocket): Configuration {
  return readConfiguration(readSettings(line, env), inherited)
}

describe('the configuration', () => {
  it('has defaults', () => {
    assert.deepEqual(configure(''), {
      listening: { kind: 'tcp', host: '127.0.0.1', port: 8080, source: '--host and --port' },
      service: {},
      server: {},
      docs: true,
      metrics: undefined,
      log: { requests: true, addresses: false, health: true },
      keys: { kind: 'stored', plan: { plan: 'business' } },
      store: undefined,
      migrates: true,
      limiter: { redis: undefined, failureMode: 'local' },
    })
  })

  const tcp = (host: string, port: number, source: string) => ({ kind: 'tcp', host, port, source }) as const
  const unix = (path: string, source: string) => ({ kind: 'unix', path, source }) as const
  const given = { kind: 'given', key, plan: { plan: 'business' } } as const
  const database = { DATABASE_URL: 'postgres://x' }
  const postgres = { kind: 'postgres', value: 'postgres://x', source: 'DATABASE_URL' } as const
  const socketPath = { PET_ADOPTION_LISTEN: 'unix:/run/pets.sock' }
  for (const [line, part, expected, env = {}] of [
    ['--host [::1]', 'listening', tcp('::1', 8080, '--host')],
    ['--host ::1 --port 0', 'listening', tcp('::1', 0, '--host and --port')],
    ['--listen 0.0.0.0:81', 'listening', tcp('0.0.0.0', 81, '--listen')],
    ['--listen [::1]:81', 'listening', tcp('::1', 81, '--listen')],
    ['--listen pets.internal:0', 'listening', tcp('pets.internal', 0, '--listen')],
    ['', 'listening', unix('/run/pets.sock', 'PET_ADOPTION_LISTEN'), socketPath],
    [
      '--listen unix:/run/pets.sock',
      'listening',
      unix('/run/pets.sock', '--listen'),
      { PORT: '81', HOST: '::' },
    ],
    ['--port 81', 'listening', tcp('127.0.0.1', 81, '--port'), socketPath],
    ['--metrics', 'metrics', 'main'],
    ['--metrics-listen [::1]:9090', 'metrics', tcp('::1', 9090, '--metrics-listen')],
    ['--metrics --metrics-listen [::1]:9090', 'metrics', tcp('::1', 9090, '--metrics-listen')],
    ['--trust-proxy 2 --base-path /x', 'service', { basePath: '/x', trustProxy: 2 }],
    ['--trust-proxy 10.0.0.0/8,fd00::/8', 'service', { trustProxy: ['10.0.0.0/8', 'fd00::/8'] }],
    ['--cors https://a.example,http://b:5173', 'service', { cors: ['https://a.example', 'http://b:5173'] }],
    ['--no-docs', 'docs', false],
    ['--max-connections 9', 'server', { maxConnections: 9 }],
    ['--log-client-address', 'log', { requests: true, addresses: true, health: true }],
    ['--no-log-requests', 'log', { requests: false, addresses: false, health: true }],
    ['', 'log', { requests: true, addresses: false, health: false }, { PET_ADOPTION_NO_LOG_HEALTH: 'on' }],
    ['', 'keys', given, { PET_ADOPTION_API_KEY: key }],
    ['--plan free', 'keys', { kind: 'stored', plan: { plan: 'free' } }],
    // Flags win over environment variables of other flags.
    ['--keys k.json', 'keys', { kind: 'file', path: 'k.json' }, { PET_ADOPTION_API_KEY: key }],
    ['--data y', 'store', { kind: 'data', value: 'y', source: '--data' }, database],
    ['--data y', 'store', { kind: 'data', value: 'y', source: '--data' }, { PET_ADOPTION_TABLE: 'dogs' }],
    ['', 'store', postgres, database],
    ['--table a.dogs --postgres-pool 3', 'store', { ...postgres, table: 'a.dogs', poolSize: 3 }, database],
  ] as const)
    it(`sets ${part} from "${line}" ${JSON.stringify(env)}`, {
      skip: JSON.stringify([line, env]).includes('unix:') && missingFeatures.unixSockets,
    }, () => {
      assert.deepEqual(configure(line, env)[part], expected)
    })

  it('uses a socket from the supervisor', () => {
    assert.equal(readInheritedSocket({ LISTEN_PID: '1' }, 4711), undefined)
    const inherited = readInheritedSocket({ LISTEN_FDS: '1', LISTEN_PID: '4711' }, 4711)
    assert.deepEqual(configure('', {}, inherited).listening, { kind: 'inherited', fd: 3 })
  })

  const readOverlap = ({ overlap }: Settings) => overlap?.value
  const newKey = (settings: Settings) => readNewKey(settings, Date.parse('2027-01-01'))
  for (const [line, read, expected] of [
    ['keys issue --plan pro', readPlan, { plan: 'pro' }],
    [
      'keygen --plan enterprise --minute 5 --day 50',
      readPlan,
      { plan: 'enterprise', limits: { minute: 5, day: 50 } },
    ],
    ['keys rotate --id a', newKey, { id: 'a' }],
    [
      'keys issue --id a --expires 2028-01-31 --label Berlin',
      newKey,
      { id: 'a', expiresAt: '2028-01-31T00:00:00.000Z', label: 'Berlin' },
    ],
    [
      'keys rotate --id a --expires 2028-01-31T12:00:00+01:00',
      newKey,
      { id: 'a', expiresAt: '2028-01-31T11:00:00.000Z' },
    ],
    // The command line wins over the environment.
    ...['\u{1f415}\u200d\u{1f9ba}', 'می\u200cخواهم', '\u{1f415}'.repeat(200)].map(
      (label) => [`keys issue --id a --label ${label}`, newKey, { id: 'a', label }] as const,
    ),
    ['keys rotate --overlap=45s', readOverlap, 45_000],
    ['keys rotate --overlap=30m', readOverlap, 1_800_000],
    ['keys rotate --overlap=12h', readOverlap, 43_200_000],
    ['keys rotate --overlap=3650d', readOverlap, 315_360_000_000],
    ['keys revoke --id shelter', readSelection, { id: 'shelter' }],
    ['keys revoke --hash AB12cd34', readSelection, { sha256: 'ab12cd34' }],
  ] as const)
    it(`reads key settings: ${line.slice(0, 90)}`, () => {
      assert.deepEqual(read(readSettings(line, {})), expected)
    })
})

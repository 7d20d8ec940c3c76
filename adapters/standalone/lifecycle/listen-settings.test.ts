import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lacks } from '../../testing/machine.ts'
import { configure } from '../testing/configure.ts'
import type { ListenAddress } from './listen-address.ts'
import { readInheritedSocket } from './listen-settings.ts'

const tcp = (host: string, port: number): ListenAddress => ({ kind: 'tcp', host, port })
const unix = (path: string): ListenAddress => ({ kind: 'unix', path })
/** Unix sockets are settings only where the system has them. */
const skip = (line: string, env: object) =>
  /listen.*unix:/i.test(line + JSON.stringify(env)) && lacks.unixSockets
const socket = { kind: 'inherited', fd: 3 } as const

for (const [line, address, env = {}] of [
  ['--host [::1]', tcp('::1', 8080)],
  ['--host ::1 --port 0', tcp('::1', 0)],
  ['--listen 0.0.0.0:81', tcp('0.0.0.0', 81)],
  ['--listen [::1]:81', tcp('::1', 81)],
  ['--listen pets.internal:0', tcp('pets.internal', 0)],
  ['', unix('/run/pets.sock'), { PET_ADOPTION_LISTEN: 'unix:/run/pets.sock' }],
  ['--listen unix:/run/pets.sock', unix('/run/pets.sock'), { PORT: '81', HOST: '::' }],
  ['--port 81', tcp('127.0.0.1', 81), { PET_ADOPTION_LISTEN: 'unix:/run/pets.sock' }],
] as const)
  test(`the address of "${line}" with ${JSON.stringify(env)}`, { skip: skip(line, env) }, () => {
    assert.deepEqual(configure(line, env).listening, address)
  })

test('the metrics have an address of their own, with --metrics or without', () => {
  for (const flag of ['', '--metrics'])
    assert.deepEqual(configure(`${flag} --metrics-listen [::1]:9090`).metrics, tcp('::1', 9090))
})

const wholePort = 'must be a whole number from 0 to 65535, 0 for any free port'
const hostPort = 'must be HOST:PORT, such as 127.0.0.1:9090 or [::1]:9090, with port 0 for any free one'
const wholePath =
  'must name the socket by its whole path of at most 103 bytes, such as unix:/run/pets/pets.sock'
const excluded = 'exclude each other'

for (const [line, message, env = {}] of [
  ['--port 65536', `--port ${wholePort}`],
  ['--port 8e3', `--port ${wholePort}`],
  ['', `PORT ${wholePort}`, { PORT: 'http' }],
  ['--listen localhost:65536', `the port of --listen ${wholePort}`],
  ['--listen 8080', `--listen ${hostPort}`],
  ['--listen ::1:8080', `--listen ${hostPort}`],
  ['--listen :8080', `--listen ${hostPort}`],
  ['--listen unix:pets.sock', `--listen ${wholePath}`],
  [`--listen unix:/${'x'.repeat(103)}`, `--listen ${wholePath}`],
  ['--listen [::1]:1 --port 8080', `--listen and --port ${excluded}: give one of them`],
  [
    '',
    `PET_ADOPTION_LISTEN and HOST ${excluded}: give one of them`,
    { PET_ADOPTION_LISTEN: '[::1]:1', HOST: '1' },
  ],
  ['--metrics-listen 9090', `--metrics-listen ${hostPort}`],
  ['--metrics-listen unix:/run/metrics', `--metrics-listen ${hostPort}`],
] as const)
  test(`the message of an invalid address names what to do: ${line} ${JSON.stringify(env)}`, {
    skip: skip(line, env),
  }, () => {
    assert.throws(() => configure(line, env), { name: 'UsageError', message })
  })

test('an inherited socket is where the service listens, and excludes another place', () => {
  assert.equal(readInheritedSocket({ LISTEN_PID: '1' }, 4711), undefined)
  const inherited = readInheritedSocket({ LISTEN_FDS: '1', LISTEN_PID: '4711' }, 4711)
  assert.deepEqual(configure('', {}, inherited).listening, socket)
  for (const [line, source, env = {}] of [
    ['--port 8080', '--port'],
    ['--listen unix:/run/pets.sock', '--listen'],
    ['', 'HOST', { HOST: '::' }],
  ] as const)
    assert.throws(() => configure(line, env, inherited), {
      name: 'UsageError',
      message: `LISTEN_FDS and ${source} exclude each other: the supervisor that hands over the socket decides where it listens`,
    })
})

for (const [fds, owner, message] of [
  ['2', '4711', /^LISTEN_FDS=2: hand over one socket$/],
  ['one', '4711', /^LISTEN_FDS=one: hand over one socket$/],
  ['1', '1', /^LISTEN_FDS hands sockets to process 1, and this is process 4711: /],
  ['1', undefined, /process \(LISTEN_PID is not set\), and this is process 4711: /],
] as const)
  test(`sockets that the server has no use for stop the start: ${fds} for process ${owner}`, () => {
    const env = { LISTEN_FDS: fds, LISTEN_PID: owner }
    assert.throws(() => readInheritedSocket(env, 4711), { name: 'UsageError', message })
  })

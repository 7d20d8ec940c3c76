import assert from 'node:assert/strict'
import { test } from 'node:test'
import { configure } from '../testing/configure.ts'
import type { ListenAddress } from './listen-address.ts'
import { readInheritedSockets } from './listen-settings.ts'

const tcp = (host: string, port: number): ListenAddress => ({ kind: 'tcp', host, port })
const unix = (path: string): ListenAddress => ({ kind: 'unix', path })

for (const [line, address, env = {}] of [
  ['--host [::1]', tcp('::1', 8080)],
  ['--host ::1 --port 0', tcp('::1', 0)],
  ['--listen 0.0.0.0:81', tcp('0.0.0.0', 81)],
  ['--listen [::1]:81', tcp('::1', 81)],
  ['--listen pets.internal:0', tcp('pets.internal', 0)],
  ['--listen unix:/run/pets.sock', unix('/run/pets.sock')],
  ['', unix('/run/pets.sock'), { PET_ADOPTION_LISTEN: 'unix:/run/pets.sock' }],
  ['--listen unix:/run/pets.sock', unix('/run/pets.sock'), { PORT: '81', HOST: '::' }],
  ['--port 81', tcp('127.0.0.1', 81), { PET_ADOPTION_LISTEN: 'unix:/run/pets.sock' }],
] as const) {
  test(`the address of "${line}" with ${JSON.stringify(env)}`, () => {
    assert.deepEqual(configure(line, env).listening.address, address)
  })
}

test('the metrics have an address of their own, with --metrics or without', () => {
  const expected = {
    address: { kind: 'tcp', host: '::1', port: 9090 },
    flags: { host: '--metrics-listen', port: '--metrics-listen' },
  }
  assert.deepEqual(configure('--metrics-listen [::1]:9090', {}).metrics, expected)
  assert.deepEqual(configure('--metrics --metrics-listen [::1]:9090', {}).metrics, expected)
})

const wholePort = 'must be a whole number from 0 to 65535, 0 for any free port'
const hostPort = 'must be HOST:PORT, such as 127.0.0.1:9090 or [::1]:9090, with port 0 for any free one'
const wholePath = 'must name the socket by its whole path, such as unix:/run/pets/pets.sock'

for (const [line, message, env = {}] of [
  ['--port 65536', `--port ${wholePort}`],
  ['--port -1', `--port ${wholePort}`],
  ['--port 8e3', `--port ${wholePort}`],
  ['', `PORT ${wholePort}`, { PORT: 'http' }],
  ['--listen localhost:65536', `the port of --listen ${wholePort}`],
  ['--listen 8080', `--listen ${hostPort}`],
  ['--listen ::1:8080', `--listen ${hostPort}`],
  ['--listen :8080', `--listen ${hostPort}`],
  ['', `PET_ADOPTION_LISTEN ${hostPort}`, { PET_ADOPTION_LISTEN: '[::1]' }],
  ['--listen unix:pets.sock', `--listen ${wholePath}`],
  ['--listen unix:', `--listen ${wholePath}`],
  [
    `--listen unix:/${'x'.repeat(103)}`,
    '--listen must name a socket by at most 103 bytes: choose a shorter path',
  ],
  ['--listen [::1]:1 --port 8080', '--listen and --port exclude each other: give one of them'],
  ['--listen [::1]:1 --host ::1', '--listen and --host exclude each other: give one of them'],
  [
    '',
    'PET_ADOPTION_LISTEN and PORT exclude each other: give one of them',
    { PET_ADOPTION_LISTEN: '[::1]:1', PORT: '1' },
  ],
  ['--metrics-listen 9090', `--metrics-listen ${hostPort}`],
  ['--metrics-listen unix:/run/metrics', `--metrics-listen ${hostPort}`],
] as const) {
  test(`the message of an invalid address names what to do: ${line} ${JSON.stringify(env)}`, () => {
    assert.throws(() => configure(line, env), { name: 'UsageError', message })
  })
}

const pid = 4711
const read = (fds: string, names?: string, owner = String(pid)) =>
  readInheritedSockets({ LISTEN_FDS: fds, LISTEN_PID: owner, LISTEN_FDNAMES: names }, pid)
const socket = (fd: number) => ({ kind: 'inherited', fd }) as const

test('without LISTEN_FDS there is no inherited socket', () => {
  assert.deepEqual(readInheritedSockets({ LISTEN_PID: '1' }, pid), {})
})

test('one socket is that of the service, whatever its name', () => {
  for (const name of [undefined, '', 'pets.socket', 'metrics'])
    assert.deepEqual(read('1', name), { main: socket(3) })
})

test('of two sockets, the one with the name metrics is for /metrics', () => {
  assert.deepEqual(read('2', 'pets.socket:metrics'), { main: socket(3), metrics: socket(4) })
  assert.deepEqual(read('2', 'metrics:pets.socket'), { main: socket(4), metrics: socket(3) })
})

for (const [fds, names] of [
  ['3', 'a:b:metrics'],
  ['2', undefined],
  ['2', 'a:b'],
  ['2', 'metrics:metrics'],
  ['2', 'a:b:metrics'],
  ['0', undefined],
  ['one', undefined],
] as const) {
  test(`sockets that the server has no use for stop the start: LISTEN_FDS=${fds} ${names}`, () => {
    assert.throws(() => read(fds, names), {
      name: 'UsageError',
      message: /^LISTEN_FDS=.*: hand over one socket, or two of which one has the name metrics/,
    })
  })
}

test('sockets for another process stop the start, with both processes in the message', () => {
  const message =
    /^LISTEN_FDS hands sockets to process (1|\(LISTEN_PID is not set\)), and this is process 4711:/
  for (const owner of ['1', ''])
    assert.throws(() => read('1', undefined, owner), { name: 'UsageError', message })
})

test('inherited sockets are where the service and /metrics listen, without another flag', () => {
  const flags = { host: 'LISTEN_FDS', port: 'LISTEN_FDS' }
  const { listening, metrics } = configure('', {}, { main: socket(4), metrics: socket(3) })
  assert.deepEqual(listening, { address: socket(4), flags })
  assert.deepEqual(metrics, { address: socket(3), flags })
  assert.equal(configure('--metrics', {}, { main: socket(3) }).metrics, 'main')
})

for (const [line, source, env = {}] of [
  ['--port 8080', '--port'],
  ['--listen unix:/run/pets.sock', '--listen'],
  ['--metrics-listen [::1]:9090', '--metrics-listen'],
  ['', 'HOST', { HOST: '::' }],
] as const) {
  test(`an inherited socket excludes another place: ${line || source}`, () => {
    assert.throws(() => configure(line, env, { main: socket(3), metrics: socket(4) }), {
      name: 'UsageError',
      message: `LISTEN_FDS and ${source} exclude each other: the supervisor that hands over the socket decides where it listens`,
    })
  })
}

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { configure } from '../testing/configure.ts'
import { readInheritedSockets } from './inherited-sockets.ts'

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
  ['--reuse-port --data x', '--reuse-port'],
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

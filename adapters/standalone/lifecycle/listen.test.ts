import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import { createServer, type Server } from 'node:http'
import { test } from 'node:test'
import { listen } from './listen.ts'
import { curlArguments, reachableUrl, urlOf } from './listen-address.ts'

const flags = { host: '--host', port: '--port' }
const tcp = (host: string, port: number) => ({ kind: 'tcp', host, port }) as const

/** A server whose `listen` fails with an error of the system. */
function failingServer(code: string): Server {
  const server = new EventEmitter()
  const error = Object.assign(new Error(`${code} came`), { code })
  return Object.assign(server, { listen: () => server.emit('error', error) }) as unknown as Server // all that listen() uses
}

for (const [code, host, port, message] of [
  [
    'EADDRINUSE',
    '::1',
    8080,
    'port 8080 of ::1 is in use: stop what uses it, or choose another with --port (0 for any free one)',
  ],
  ['EACCES', '::1', 80, 'no permission to listen on port 80: choose one from 1024 on with --port'],
  [
    'EADDRNOTAVAIL',
    '192.0.2.1',
    80,
    '192.0.2.1 is not an address of this machine: choose one with --host, such as 127.0.0.1, or 0.0.0.0 for all',
  ],
  [
    'ENOTFOUND',
    'nowhere',
    80,
    'there is no host named nowhere: choose another with --host, such as 127.0.0.1',
  ],
  [
    'EAI_AGAIN',
    'nowhere',
    80,
    'there is no host named nowhere: choose another with --host, such as 127.0.0.1',
  ],
  ['EMFILE', '::1', 80, 'cannot listen on port 80 of ::1: EMFILE came'],
] as const) {
  test(`the message for ${code} of the system names what to do`, async () => {
    await assert.rejects(listen(failingServer(code), { address: tcp(host, port), flags }), {
      name: 'StartError',
      message,
    })
  })
}

test('the message for --listen names that flag', async () => {
  const both = { host: '--listen', port: '--listen' }
  await assert.rejects(
    listen(failingServer('EADDRINUSE'), { address: tcp('::1', 80), flags: both }),
    /another with --listen \(0/,
  )
})

test('port 0 becomes the port of the server', async () => {
  const server = createServer()
  const address = await listen(server, { address: tcp('127.0.0.1', 0), flags })
  assert.ok(address.kind === 'tcp' && address.port > 0)
  server.close()
})

test('an IPv6 host stands in brackets, its zone escaped', () => {
  assert.equal(urlOf(tcp('127.0.0.1', 8080), '/v1'), 'http://127.0.0.1:8080/v1')
  assert.equal(urlOf(tcp('localhost', 80), '/pets/v1'), 'http://localhost:80/pets/v1')
  assert.equal(urlOf(tcp('::1', 8080), '/v1'), 'http://[::1]:8080/v1')
  assert.equal(urlOf(tcp('fe80::1%eth0', 8080), '/v1'), 'http://[fe80::1%25eth0]:8080/v1')
})

test('a server that listens everywhere is reached on the loopback', () => {
  assert.equal(reachableUrl(tcp('0.0.0.0', 8080), '/v1'), 'http://127.0.0.1:8080/v1')
  assert.equal(reachableUrl(tcp('::', 8080), '/v1'), 'http://[::1]:8080/v1')
  assert.equal(reachableUrl(tcp('localhost', 8080), '/v1'), 'http://localhost:8080/v1')
})

test('curl reaches a server on its port, or on its Unix socket', () => {
  assert.equal(curlArguments(tcp('::', 81), '/v1/pets'), '"http://[::1]:81/v1/pets"')
  assert.equal(
    curlArguments({ kind: 'unix', path: '/run/pets.sock' }, '/v1/pets'),
    '--unix-socket "/run/pets.sock" "http://localhost/v1/pets"',
  )
})

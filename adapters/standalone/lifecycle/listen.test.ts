import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { EventEmitter } from 'node:events'
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { join } from 'node:path'
import { test } from 'node:test'
import { temporaryFolder } from '../../contracts/testing/temporary-folder.ts'
import { stop } from '../testing/command.ts'
import { start } from '../testing/program.ts'
import { send } from '../testing/request.ts'
import { listen } from './listen.ts'
import { curlArguments, reachableUrl, urlOf } from './listen-address.ts'
import { socketWarning } from './start-notices.ts'

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

const skip = process.platform === 'win32' && 'no Unix sockets on this system'
const folder = temporaryFolder()
const env = { PET_ADOPTION_API_KEY: 'the-key-of-the-tests' }

/** Sends a request over a socket. Resolves with its status, and the remaining requests that its headers show. */
async function request(
  socketPath: string,
  headers: Readonly<Record<string, string>>,
): Promise<[status: number, remaining: string]> {
  const response = await send('http://localhost/v1/pets', { socketPath, headers })
  return [response.status, String(response.headers['x-ratelimit-remaining'])]
}

/** Leaves a socket that nobody listens on, as a process does that was killed. */
function leaveSocket(path: string): void {
  const script = `require('net').createServer().listen(${JSON.stringify(path)}, () => process.kill(process.pid, 'SIGKILL'))`
  spawnSync(process.execPath, ['-e', script])
  assert.ok(existsSync(path))
}

test('a server on a Unix socket serves its owner and group, and removes the socket when it stops', {
  skip,
}, async () => {
  const path = join(folder, 'pets.sock')
  const server = start(`--listen unix:${path} --trust-proxy 1`, { env })
  await server.stdout.until(new RegExp(`^listening on unix:${path}$`, 'm'))
  assert.equal(statSync(path).mode & 0o777, 0o660)
  assert.deepEqual((await request(path, { authorization: 'Bearer the-key-of-the-tests' }))[0], 200)
  assert.doesNotMatch(server.stdout.text, /documentation/)

  // Anonymous clients count by the address that the proxy sees.
  const from = (address: string) => request(path, { 'x-forwarded-for': address })
  assert.deepEqual(await from('192.0.2.1'), [401, '59'])
  assert.deepEqual(await from('192.0.2.1'), [401, '58'])
  assert.deepEqual(await from('192.0.2.2'), [401, '59'])
  assert.equal(server.stderr.text, '')

  const second = start(`--listen unix:${path}`, { env })
  assert.equal(await second.exitCode, 1)
  assert.match(
    second.stderr.text,
    /pets\.sock exists: stop the process that listens on it, or choose another path with --listen/,
  )
  assert.deepEqual((await from('192.0.2.2'))[0], 401)
  await stop(server)
  assert.ok(!existsSync(path))
})

test('a socket that a killed process has left is replaced', { skip }, async () => {
  const path = join(folder, 'stale.sock')
  leaveSocket(path)
  const server = start(`--listen unix:${path}`, { env })
  await server.stdout.until(/^listening on unix:/m)
  assert.deepEqual((await request(path, {}))[0], 401)
  await server.stderr.until(/warning: the connections of a Unix socket have no address/)
  await stop(server)
})

test('a file that is no socket is left as it is', { skip }, async () => {
  const path = join(folder, 'file')
  writeFileSync(path, 'precious')
  const server = start(`--listen unix:${path}`, { env })
  assert.equal(await server.exitCode, 1)
  assert.match(server.stderr.text, /file exists: .* choose another path with --listen/)
  assert.equal(readFileSync(path, 'utf8'), 'precious')
})

test('a socket in a folder that does not exist stops the start', { skip }, async () => {
  const server = start(`--listen unix:${folder}/none/pets.sock`, { env })
  assert.equal(await server.exitCode, 1)
  assert.match(
    server.stderr.text,
    /^pet-adoption-service: cannot listen on the socket .*: its folder must exist/,
  )
})

test('a Unix socket needs a number of proxies to tell anonymous clients apart', () => {
  const socket = { kind: 'unix', path: '/run/pets.sock' } as const
  assert.equal(socketWarning(socket, 1), undefined)
  for (const trusted of [undefined, 0, ['10.0.0.0/8']])
    assert.match(socketWarning(socket, trusted) ?? '', /--trust-proxy 1/)
  assert.equal(socketWarning({ kind: 'tcp', host: '::1', port: 80 }, 0), undefined)
})

test('a Unix socket never has a mode that lets others connect', { skip }, async (t) => {
  const path = join(folder, 'from-the-start.sock')
  const before = process.umask()
  const server = createServer()
  t.after(() => server.close())
  let modeAtOnce = 0
  const listenAsNode = server.listen.bind(server)
  server.listen = (...target: unknown[]) => {
    listenAsNode(...(target as [])) // whatever listen passes
    modeAtOnce = statSync(path).mode & 0o777
    return server
  }
  await listen(server, { address: { kind: 'unix', path }, flags: { host: '--listen', port: '--listen' } })
  assert.equal(modeAtOnce, 0o660)
  assert.equal(process.umask(), before)
})

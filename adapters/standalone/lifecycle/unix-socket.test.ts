import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer, request as send } from 'node:http'
import { join } from 'node:path'
import { test } from 'node:test'
import { temporaryFolder } from '../../contracts/testing/temporary-folder.ts'
import { stop } from '../testing/command.ts'
import { start } from '../testing/program.ts'
import { listen } from './listen.ts'
import { socketWarning } from './start-notices.ts'

const skip = process.platform === 'win32' && 'no Unix sockets on this system'
const folder = temporaryFolder()
const env = { PET_ADOPTION_API_KEY: 'the-key-of-the-tests' }

/** Resolves with the status of a request over a socket, and the remaining requests that its headers show. */
function request(
  socketPath: string,
  headers: Record<string, string>,
): Promise<[status: number, remaining: string]> {
  return new Promise((resolve, reject) => {
    send({ socketPath, path: '/v1/pets', headers, agent: false }, (response) => {
      response.resume()
      resolve([response.statusCode ?? 0, String(response.headers['x-ratelimit-remaining'])])
    })
      .on('error', reject)
      .end()
  })
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
  assert.match(second.stderr.text, /a process listens on .+pets\.sock: stop it, or choose another path/)
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
  assert.match(
    server.stderr.text,
    /file exists and is no socket: choose another path with --listen, or remove it/,
  )
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

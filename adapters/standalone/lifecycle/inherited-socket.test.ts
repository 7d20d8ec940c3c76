import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { test } from 'node:test'
import { freePort } from '../../contracts/testing/free-port.ts'
import { temporaryFiles } from '../../contracts/testing/sqlite.ts'
import { unlimited } from '../testing/animals.ts'
import { launch } from '../testing/launch.ts'
import { startLoad } from '../testing/load.ts'
import { send } from '../testing/request.ts'
import { supervise } from '../testing/supervisor.ts'

const skip = process.platform !== 'linux' && 'the sockets of a supervisor are those of systemd'
const newFile = temporaryFiles()

test('a restart on the socket of a supervisor loses no request, on new connections and on open ones', {
  skip,
}, async (t) => {
  const port = await freePort()
  const supervisor = supervise(port, '--memory --log silent', unlimited)
  const first = await supervisor.server(1)
  assert.match(supervisor.stdout.text, new RegExp(`^listening on http://127\\.0\\.0\\.1:${port}/v1$`, 'm'))
  const load = startLoad(`http://127.0.0.1:${port}/v1`, {
    key: 'the-key-of-the-tests',
    fresh: 6,
    lists: 3,
    creates: 0,
  })
  await load.more(20)
  const stoppedAt = performance.now()
  process.kill(first, 'SIGTERM')
  await supervisor.server(2)
  const startedMs = performance.now() - stoppedAt
  await load.more(100)
  const failures = await load.end()
  t.diagnostic(
    `1 restart, ${load.exchanges.length} requests: failures ${JSON.stringify(failures)}; the next server listens after ${startedMs.toFixed()} ms`,
  )
  assert.deepEqual(failures, {})
  await supervisor.end()
})

test('a Unix socket of the supervisor is served, announced without its path, and stays when the server stops', {
  skip,
}, async () => {
  const path = newFile('pets.sock')
  const supervisor = supervise(path, '--memory --trust-proxy 1', unlimited)
  const first = await supervisor.server(1)
  assert.match(supervisor.stdout.text, /^listening on unix:\(inherited\)$/m)
  process.kill(first, 'SIGTERM')
  const second = await supervisor.server(2)
  assert.notEqual(second, first)
  assert.ok(existsSync(path))
  assert.equal((await send('http://localhost/v1/pets', { socketPath: path })).status, 401)
  await supervisor.end()
})

test('a descriptor that is no socket stops the start, and the message says what it must be', {
  skip,
}, async () => {
  const shell = 'exec 3</dev/null && export LISTEN_FDS=1 LISTEN_PID=$$'
  const server = launch('--memory', { env: unlimited, shell })
  assert.equal(await server.end, 1)
  assert.match(
    server.stderr.text,
    /cannot listen on descriptor 3 of LISTEN_FDS: .*: it must be a listening stream socket/,
  )
})

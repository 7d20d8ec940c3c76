import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { after, describe, it } from 'node:test'
import { findFreePort } from '../../contracts/testing/free-port.ts'
import { createFileNamer } from '../../contracts/testing/sqlite.ts'
import { unlimitedEnv } from '../testing/animals.ts'
import { Capture } from '../testing/capture.ts'
import { launch, mainFile } from '../testing/launch.ts'
import { startLoad } from '../testing/load.ts'
import { splitCommandLine } from '../testing/program.ts'
import { send } from '../testing/request.ts'

const skip = process.platform !== 'linux' && 'the sockets of a supervisor are those of systemd'
const newFile = createFileNamer()

/**
 * A supervisor that passes a listening socket to the server, and restarts the server whenever it exits with 0. Its own
 * event loop never runs meanwhile, so it accepts no connection.
 */
const script = `
const { spawnSync } = require('node:child_process')
const { once } = require('node:events')
const { createServer } = require('node:net')
const [place, ...args] = process.argv.slice(1)
const server = createServer().listen(/^\\d+$/.test(place) ? { port: Number(place), host: '127.0.0.1' } : { path: place })
once(server, 'listening').then(() => {
  const env = { ...process.env, LISTEN_FDS: '1' }
  const stdio = ['ignore', 'inherit', 'inherit', server._handle.fd]
  const command = ['-c', 'echo "server $$" && LISTEN_PID=$$ exec "$@"', 'sh', process.execPath, ...args]
  while (spawnSync('/bin/sh', command, { env, stdio }).status === 0);
  process.exit()
})`

/** Starts the supervisor. Its children are killed after the tests. */
function supervise(place: number | string, flags: string) {
  const args = ['-e', script, '--', String(place), mainFile, ...splitCommandLine(flags)]
  const child = spawn(process.execPath, args, {
    env: { ...process.env, ...unlimitedEnv },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true, // its own process group
  })
  const stdout = child.stdout.pipe(new Capture())
  after(() => process.kill(-Number(child.pid), 'SIGKILL'))
  return {
    stdout,
    /** Returns the process id of the nth server once it listens. */
    async server(nth: number): Promise<number> {
      await stdout.until(new RegExp(`(?:^server [^]*?^listening on .*\n[^]*?){${nth}}`, 'm'))
      return Number([...stdout.text.matchAll(/^server (\d+)$/gm)][nth - 1]?.[1])
    },
  }
}

describe('an inherited socket', () => {
  it('loses no request during a restart', {
    skip,
  }, async (t) => {
    const port = await findFreePort()
    const supervisor = supervise(port, '--memory --log silent')
    const first = await supervisor.server(1)
    assert.match(supervisor.stdout.text, new RegExp(`^listening on http://127\\.0\\.0\\.1:${port}/v1$`, 'm'))
    const load = startLoad(`http://127.0.0.1:${port}/v1`, {
      key: 'the-key-of-the-tests',
      unpooledClients: 6,
      listClients: 3,
      createClients: 0,
    })
    await load.waitForMore(20)
    const stoppedAt = performance.now()
    process.kill(first, 'SIGTERM')
    await supervisor.server(2)
    const startedMs = performance.now() - stoppedAt
    await load.waitForMore(100)
    const failures = await load.end()
    t.diagnostic(
      `1 restart, ${load.requests.length} requests: failures ${JSON.stringify(failures)}; the next server listens after ${startedMs.toFixed()} ms`,
    )
    assert.deepEqual(failures, {})
  })

  it('may be a Unix socket, which is kept after the exit', {
    skip,
  }, async () => {
    const path = newFile('pets.sock')
    const supervisor = supervise(path, '--memory --trust-proxy 1')
    const first = await supervisor.server(1)
    assert.match(supervisor.stdout.text, /^listening on unix:\(inherited\)$/m)
    process.kill(first, 'SIGTERM')
    const second = await supervisor.server(2)
    assert.notEqual(second, first)
    assert.ok(existsSync(path))
    assert.equal((await send('http://localhost/v1/pets', { socketPath: path })).status, 401)
  })

  it('must be a listening socket', {
    skip,
  }, async () => {
    const shell = 'exec 3</dev/null && export LISTEN_FDS=1 LISTEN_PID=$$'
    const server = launch('--memory', { env: unlimitedEnv, shell })
    assert.equal(await server.end, 1)
    assert.match(
      server.stderr.text,
      /cannot listen on descriptor 3 from LISTEN_FDS: .*: it must be a listening stream socket/,
    )
  })
})

import { equal, match } from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { Capture } from '../../../adapters/standalone/testing/capture.ts'
import { openConnection } from '../../../adapters/standalone/testing/connection.ts'
import { name } from '../platform.mjs'

const main = 'node_modules/pet-adoption-service/dist/adapters/standalone/main.js'
const args = name === 'deno' ? ['run', '--quiet', '--allow-all', main] : [main]
const key = 'key-of-the-runtimes-suite'
const pet = '{"name":"Rex","categoryId":1}'
const head = `POST /v1/pets HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Length: ${pet.length}\r\n\r\n`

/** The standalone server as it is built, in this runtime: SIGTERM and SIGINT end it without a lost request. */
export function stopSuite({ it }) {
  it('a signal ends an idle server with exit code 0', async ({ after }) => {
    const { pid, exitCode } = await start(after)
    process.kill(pid, 'SIGINT')
    equal(await exitCode, 0)
  })

  it('a request in flight has its response before the server ends', async ({ after }) => {
    const { pid, port, output, exitCode } = await start(after)
    const { socket, received, closed } = await openConnection(port)
    socket.write(head + pet.slice(0, 5))
    await sleep(200)
    process.kill(pid, 'SIGTERM')
    await output.until(/"event":"stopping"/)
    socket.write(pet.slice(5))
    await closed
    match(received.text, /^HTTP\/1\.1 201 .*^connection: close/ims)
    equal(await exitCode, 0)
  })
}

/** Starts a server. Signal it with `process.kill`: after `child.kill`, Deno reports no exit code but the signal. */
async function start(after) {
  const child = spawn(process.execPath, [...args, '--port', '0', '--memory', '--log', 'json'], {
    env: { ...process.env, PET_ADOPTION_API_KEY: key },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  after(() => child.kill('SIGKILL'))
  const output = child.stdout.pipe(new Capture())
  const exitCode = once(child, 'close').then(([code, signal]) => code ?? signal)
  const [, port] = await output.until(/"url":"http:\/\/127\.0\.0\.1:(\d+)\/v1"/)
  return { pid: child.pid, port: Number(port), output, exitCode }
}

import { equal, match } from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { name } from '../platform.mjs'

const main = 'node_modules/pet-adoption-service/dist/adapters/standalone/main.js'
const args = name === 'deno' ? ['run', '--quiet', '--allow-all', main] : [main]
const key = 'key-of-the-runtimes-suite'
const pet = '{"name":"Rex","categoryId":1}'
const head = `POST /v1/pets HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Length: ${pet.length}\r\n\r\n`

/** The standalone server as it is built, in this runtime: SIGTERM and SIGINT end it without a lost request. */
export function stopSuite({ it }) {
  it('a signal ends an idle server with exit code 0', async ({ after }) => {
    const server = await start(after)
    process.kill(server.child.pid, 'SIGINT')
    equal(await server.exitCode, 0, server.output())
  })

  it('a request in flight has its response before the server ends', async ({ after }) => {
    const server = await start(after)
    const socket = connect(server.port, '127.0.0.1')
    const received = collect(socket)
    const closed = once(socket, 'close')
    socket.write(head + pet.slice(0, 5))
    await new Promise((resolve) => setTimeout(resolve, 200))
    process.kill(server.child.pid, 'SIGTERM')
    await server.until('"event":"stopping"')
    socket.write(pet.slice(5))
    await closed
    match(received(), /^HTTP\/1\.1 201 .*^connection: close/ims)
    equal(await server.exitCode, 0, server.output())
  })
}

/** Starts a server. Signal it with `process.kill`: after `child.kill`, Deno reports no exit code but the signal. */
async function start(after) {
  const child = spawn(process.execPath, [...args, '--port', '0', '--memory', '--log', 'json'], {
    env: { ...process.env, PET_ADOPTION_API_KEY: key },
  })
  after(() => child.kill('SIGKILL'))
  const [stdout, stderr] = [collect(child.stdout), collect(child.stderr)]
  const output = () => stdout() + stderr()
  const exitCode = once(child, 'close').then(([code, signal]) => code ?? signal)

  /** Waits for a text in the output; the runner bounds the time. */
  async function until(text) {
    while (!output().includes(text)) {
      if (child.exitCode !== null) throw new Error(`it ended without ${text}:\n${output()}`)
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }

  await until('"event":"listening"')
  const [, port] = /"url":"http:\/\/127\.0\.0\.1:(\d+)\/v1"/.exec(output())
  return { child, port: Number(port), output, until, exitCode }
}

function collect(stream) {
  let text = ''
  stream.setEncoding('utf8').on('data', (part) => {
    text += part
  })
  return () => text
}

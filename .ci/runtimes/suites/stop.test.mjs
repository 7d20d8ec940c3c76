// Stops the built standalone server on this runtime with signals.
import { equal, match } from 'node:assert/strict'
import { once } from 'node:events'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openConnection } from '../../../adapters/standalone/testing/connection.ts'
import { launch } from '../../server.mjs'

const main = 'dist/adapters/standalone/main.js'
const command = [process.execPath, ...(globalThis.Deno ? ['run', '--quiet', '--allow-all'] : []), main]
const key = 'key-of-the-runtimes-suite'
const pet = '{"name":"Rex","categoryId":1}'
const head = `POST /v1/pets HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Length: ${pet.length}\r\n\r\n`

describe('the standalone server', () => {
  it('exits with 0 after SIGINT', async () => {
    const { child, exitCode } = await start()
    process.kill(child.pid, 'SIGINT')
    equal(await exitCode, 0)
  })

  it('completes a pending request after SIGTERM, then exits with 0', async () => {
    const { child, origin, exitCode } = await start()
    const { socket, received, closed } = await openConnection(Number(new URL(origin).port))
    socket.write(head + pet.slice(0, 5))
    await sleep(200)
    process.kill(child.pid, 'SIGTERM')
    while ((await fetch(`${origin}/readyz`)).ok);
    socket.write(pet.slice(5))
    await closed
    match(received.text, /^HTTP\/1\.1 201 .*^connection: close/ims)
    equal(await exitCode, 0)
  })
})

/** Tests use `process.kill`: after `child.kill`, Deno reports the signal instead of the exit code. */
async function start() {
  const flags = ['--port', '0', '--memory', '--log', 'json']
  const launched = await launch([...command, ...flags], { env: { PET_ADOPTION_API_KEY: key } })
  const exitCode = once(launched.child, 'exit').then(([code, signal]) => code ?? signal)
  return { ...launched, exitCode }
}

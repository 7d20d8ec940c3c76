import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { lacks } from '../adapters/testing/machine.ts'
import { serveHttp } from './testing/servers.ts'

/** The built program. */
const main = fileURLToPath(new URL('../dist/conformance/main.js', import.meta.url))

/** Starts the program in a child process. */
function start(argv: readonly string[]) {
  const env = { ...process.env, PET_ADOPTION_API_KEY: 's3cret-key' }
  const child = spawn(process.execPath, [main, ...argv], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  return { child, closed: once(child, 'close'), err: text(child.stderr) }
}

describe('the conformance program', () => {
  it('SIGINT while the program waits for a limit ends it with 130 and a report', {
    skip: lacks.signals,
  }, async () => {
    const server = await serveHttp((_, response) => {
      // the wait begins once the response is read
      response
        .writeHead(429, { 'retry-after': '60' })
        .end('{}', () => setTimeout(() => child.kill('SIGINT'), 300))
    })
    const { child, closed, err } = start([server.baseUrl, '--format=json'])
    const out = await text(child.stdout)
    await server.close()
    assert.match(await err, /interrupted: the request under way is completed/)
    assert.equal(JSON.parse(out).endedEarly, 'it was interrupted: run it again')
    assert.deepEqual(await closed, [130, null])
  })

  it('an older Node is told which one is required', async () => {
    const old = `Object.defineProperty(process, 'versions', { value: { node: '20.18.3' } })`
    const args = ['--import', `data:text/javascript,${encodeURIComponent(old)}`, main]
    const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
    assert.deepEqual(
      [status, stderr],
      [2, 'pet-adoption-conformance: this is Node 20.18.3: install Node 20.19 or later\n'],
    )
  })

  it('the program exits with 0 when the reader of its output closes the pipe', async () => {
    const { child, closed, err } = start(['--list'])
    child.stdout.destroy()
    assert.deepEqual([await closed, await err], [[0, null], ''])
  })
})

import assert from 'node:assert/strict'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { lacks } from '../adapters/testing/machine.ts'
import { serveHttp } from './network/testing/servers.ts'

/** The built program. */
const main = fileURLToPath(new URL('../dist/conformance/main.js', import.meta.url))

interface Ended {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

/** Runs the program in a child process. */
async function run(
  argv: readonly string[],
  readsOutput = true,
  onStart?: (child: ChildProcess) => void,
): Promise<Ended> {
  const env = { ...process.env, PET_ADOPTION_API_KEY: 's3cret-key' }
  const child = spawn(process.execPath, [main, ...argv], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onStart?.(child)
  const code = new Promise<number | null>((resolve) => child.on('close', resolve))
  if (!readsOutput) child.stdout.destroy()
  const [out, err] = await Promise.all([readsOutput ? text(child.stdout) : '', text(child.stderr)])
  return { code: await code, out, err }
}

describe('the conformance program', () => {
  it('the program judges a deployment over the network, and exits with 1 if a rule fails', async () => {
    const server = await serveHttp((_, response) => response.writeHead(404).end('{}'))
    const { code, out, err } = await run([server.baseUrl, '--format=junit'])
    await server.close()
    assert.match(out, /^<\?xml [\s\S]*<failure type="MUST"/)
    assert.deepEqual(
      { code, err },
      {
        code: 1,
        err: 'exit code 1: fix what is broken, or list it as known with --write-known-failures FILE\n',
      },
    )
  })

  it('SIGINT while the program waits for a limit ends it with 130 and a report', {
    skip: lacks.signals,
  }, async () => {
    let child: ChildProcess | undefined
    const server = await serveHttp((_, response) => {
      // the wait begins once the response is read
      response
        .writeHead(429, { 'retry-after': '60' })
        .end('{}', () => setTimeout(() => child?.kill('SIGINT'), 300))
    })
    const { code, out, err } = await run([server.baseUrl, '--format=json'], true, (started) => {
      child = started
    })
    await server.close()
    assert.match(err, /interrupted: the request under way is completed/)
    assert.equal(JSON.parse(out).endedEarly, 'it was interrupted: run it again')
    assert.equal(code, 130)
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
    assert.deepEqual(await run(['--list'], false), { code: 0, out: '', err: '' })
  })
})

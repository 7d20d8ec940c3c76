import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
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
  // a test may close stderr
  const err = text(child.stderr).catch(() => '')
  return { child, closed: once(child, 'close'), err }
}

describe('the conformance program', () => {
  it('ends with 130 and a report at SIGINT during a wait', {
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
    assert.match(await err, /interrupted: completing the request in flight/)
    assert.equal(JSON.parse(out).endedEarly, 'it was interrupted: run it again')
    assert.deepEqual(await closed, [130, null])
  })

  it('names the required version on an older Node', async () => {
    const old = `Object.defineProperty(process, 'versions', { value: { node: '20.18.3' } })`
    const args = ['--import', `data:text/javascript,${encodeURIComponent(old)}`, main]
    const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
    assert.deepEqual(
      [status, stderr],
      [2, 'pet-adoption-conformance: this is Node 20.18.3: install Node 20.19 or later\n'],
    )
  })

  it('exits with 0 if the reader of its output closes the pipe', async () => {
    const { child, closed, err } = start(['--list'])
    child.stdout.destroy()
    assert.deepEqual([await closed, await err], [[0, null], ''])
  })

  const serveAnimals = () =>
    serveHttp((_, response) => response.writeHead(200, { 'content-type': 'application/json' }).end('[]'))

  for (const closed of ['stdout', 'stderr'] as const)
    it(`completes a run and writes its report if ${closed} is closed`, { skip: lacks.signals }, async () => {
      const server = await serveAnimals()
      const report = join(mkdtempSync(join(tmpdir(), 'conformance-main-')), 'report.json')
      const run = start([server.baseUrl, '--verbose', `--format=json=${report}`, '--format=pretty'])
      run.child[closed].destroy()
      run.child.stdout.resume()
      const [code] = await run.closed
      await server.close()
      const { exchanges } = JSON.parse(readFileSync(report, 'utf8'))
      rmSync(dirname(report), { recursive: true })
      assert.ok(exchanges.length > 20)
      assert.equal(code, 1)
    })

  const toFull = (argv: readonly string[]) =>
    new Promise<{ code: number | null; err: string }>((resolve) => {
      const full = openSync('/dev/full', 'w')
      const env = { ...process.env, PET_ADOPTION_API_KEY: 's3cret-key' }
      const child = spawn(process.execPath, [main, ...argv], { env, stdio: ['ignore', full, 'pipe'] })
      const err = child.stderr ? text(child.stderr) : Promise.resolve('')
      child.once('close', async (code) => {
        closeSync(full)
        resolve({ code, err: await err })
      })
    })

  it('exits with 70 if stdout is full and the report is lost', {
    skip: !existsSync('/dev/full'),
  }, async () => {
    const server = await serveAnimals()
    const { code, err } = await toFull([server.baseUrl])
    await server.close()
    assert.match(err, /^pet-adoption-conformance: cannot write the pretty report to stdout: .*ENOSPC/m)
    assert.equal(code, 70)
    assert.equal((await toFull(['--list'])).code, 70)
  })

  it('exits with the code of the run if only its summary is lost', {
    skip: !existsSync('/dev/full'),
  }, async () => {
    const server = await serveAnimals()
    const report = join(mkdtempSync(join(tmpdir(), 'conformance-main-')), 'report.json')
    const { code } = await toFull([server.baseUrl, `--format=json=${report}`])
    await server.close()
    assert.equal(JSON.parse(readFileSync(report, 'utf8')).summary.pass > 0, true)
    rmSync(dirname(report), { recursive: true })
    assert.equal(code, 1)
  })

  it('writes the whole report to a slow reader', { skip: lacks.bash }, async () => {
    const server = await serveAnimals()
    const command = '"$0" "$@" 2>/dev/null | (sleep 2; cat)'
    const child = spawn('bash', ['-c', command, process.execPath, main, server.baseUrl, '--format=json'], {
      env: { ...process.env, PET_ADOPTION_API_KEY: 's3cret-key' },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const out = await text(child.stdout)
    await server.close()
    assert.ok(out.length > 65_536)
    assert.doesNotThrow(() => JSON.parse(out))
  })
})

import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { missingFeatures } from '../adapters/testing/machine.ts'
import { serveHttp } from './testing/servers.ts'

const mainPath = fileURLToPath(new URL('../dist/conformance/main.js', import.meta.url))

function startProgram(argv: readonly string[]) {
  const env = { ...process.env, PET_ADOPTION_API_KEY: 's3cret-key' }
  const child = spawn(process.execPath, [mainPath, ...argv], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  // The test may have closed the stream.
  const stderrText = text(child.stderr).catch(() => '')
  return { child, closed: once(child, 'close'), err: stderrText }
}

describe('the executable', () => {
  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)
    it(`exits with ${code} after ${signal}, and still prints its report`, {
      skip: missingFeatures.signals,
    }, async () => {
      const server = await serveHttp((_, response) => {
        // The run waits for this 429 when the signal arrives.
        response
          .writeHead(429, { 'retry-after': '60' })
          .end('{}', () => setTimeout(() => child.kill(signal), 300))
      })
      const { child, closed, err } = startProgram([server.baseUrl, '--format=json'])
      const stdoutText = await text(child.stdout)
      await server.close()
      assert.match(await err, /interrupted: finishing the request in flight/)
      assert.equal(JSON.parse(stdoutText).endedEarly, 'interrupted: run the suite again')
      assert.deepEqual(await closed, [code, null])
    })

  it('asks for a newer Node version if Node is too old', async () => {
    const oldNodeScript = `Object.defineProperty(process, 'versions', { value: { node: '20.18.3' } })`
    const args = ['--import', `data:text/javascript,${encodeURIComponent(oldNodeScript)}`, mainPath]
    const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
    assert.deepEqual(
      [status, stderr],
      [2, 'pet-adoption-conformance: requires Node 20.19 or later, but this is Node 20.18.3\n'],
    )
  })

  it('exits with 0 if the reader closes the pipe', async () => {
    const { child, closed, err } = startProgram(['--list'])
    child.stdout.destroy()
    assert.deepEqual([await closed, await err], [[0, null], ''])
  })

  const serveAnimals = () =>
    serveHttp((_, response) => response.writeHead(200, { 'content-type': 'application/json' }).end('[]'))

  for (const closed of ['stdout', 'stderr'] as const)
    it(`completes the run if ${closed} is closed`, {
      skip: missingFeatures.signals,
    }, async () => {
      const server = await serveAnimals()
      const report = join(mkdtempSync(join(tmpdir(), 'conformance-main-')), 'report.json')
      const programRun = startProgram([
        server.baseUrl,
        '--verbose',
        `--format=json=${report}`,
        '--format=pretty',
      ])
      programRun.child[closed].destroy()
      programRun.child.stdout.resume()
      const [code] = await programRun.closed
      await server.close()
      const { exchanges } = JSON.parse(readFileSync(report, 'utf8'))
      rmSync(dirname(report), { recursive: true })
      assert.ok(exchanges.length > 20)
      assert.equal(code, 1)
    })

  const toFull = (argv: readonly string[]) =>
    new Promise<{ code: number | null; err: string }>((resolve) => {
      const fullDevice = openSync('/dev/full', 'w')
      const env = { ...process.env, PET_ADOPTION_API_KEY: 's3cret-key' }
      const child = spawn(process.execPath, [mainPath, ...argv], {
        env,
        stdio: ['ignore', fullDevice, 'pipe'],
      })
      const stderrText = child.stderr ? text(child.stderr) : Promise.resolve('')
      child.once('close', async (code) => {
        closeSync(fullDevice)
        resolve({ code, err: await stderrText })
      })
    })

  it('exits with 70 if the disk is full', {
    skip: !existsSync('/dev/full'),
  }, async () => {
    const server = await serveAnimals()
    const { code, err } = await toFull([server.baseUrl])
    await server.close()
    assert.match(err, /^pet-adoption-conformance: cannot write the pretty report to stdout: .*ENOSPC/m)
    assert.equal(code, 70)
    assert.equal((await toFull(['--list'])).code, 70)
  })

  it("exits with the report's exit code if it cannot write the summary", {
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

  it('prints a complete report to a slow reader', { skip: missingFeatures.bash }, async () => {
    const server = await serveAnimals()
    const command = '"$0" "$@" 2>/dev/null | (sleep 2; cat)'
    const child = spawn(
      'bash',
      ['-c', command, process.execPath, mainPath, server.baseUrl, '--format=json'],
      {
        env: { ...process.env, PET_ADOPTION_API_KEY: 's3cret-key' },
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    )
    const stdoutText = await text(child.stdout)
    await server.close()
    assert.ok(stdoutText.length > 65_536)
    assert.doesNotThrow(() => JSON.parse(stdoutText))
  })
})

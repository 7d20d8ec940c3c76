import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { createTemporaryFolder } from '../../contracts/testing/temporary-folder.ts'
import { missingFeatures } from '../../testing/machine.ts'
import { fail, stop } from '../testing/command.ts'
import { start } from '../testing/program.ts'
import { send } from '../testing/request.ts'
import { listen } from './listen.ts'
import { formatUrl } from './listen-address.ts'

describe('the server URL', () => {
  it('can be opened on this machine', () => {
    for (const [host, shown] of [
      ['localhost', 'localhost'],
      ['::1', '[::1]'],
      ['fe80::1%eth0', '[fe80::1%25eth0]'],
      ['0.0.0.0', '127.0.0.1'],
      ['::', '[::1]'],
    ] as const)
      assert.equal(
        formatUrl({ kind: 'tcp', host, port: 81, source: '--port' }, '/v1'),
        `http://${shown}:81/v1`,
      )
  })
})

const skip = missingFeatures.unixSockets
const folder = createTemporaryFolder()
const env = { PET_ADOPTION_API_KEY: 'the-key-of-the-tests' }

describe('a Unix socket', () => {
  it('replaces a stale socket, and serves clients behind a proxy', {
    skip,
  }, async () => {
    const path = join(folder, 'pets.sock')
    const script = `require('net').createServer().listen(${JSON.stringify(path)}, () => process.kill(process.pid, 'SIGKILL'))`
    spawnSync(process.execPath, ['-e', script])
    assert.ok(existsSync(path))
    const server = start(`--listen unix:${path} --trust-proxy 1`, { env })
    await server.stdout.until(new RegExp(`^listening on unix:${path}$`, 'm'))
    assert.doesNotMatch(server.stdout.text, /documentation/)
    const remainingFrom = async (address: string) => {
      const headers = { 'x-forwarded-for': address }
      const response = await send('http://localhost/v1/pets', { socketPath: path, headers })
      return response.headers['x-ratelimit-remaining']
    }
    for (const [address, remaining] of [
      ['192.0.2.1', '59'],
      ['192.0.2.1', '58'],
      ['192.0.2.2', '59'],
    ] as const)
      assert.equal(await remainingFrom(address), remaining)
    assert.equal(server.stderr.text, '')

    const [code, told] = await fail(`--listen unix:${path}`, { env })
    assert.equal(code, 1)
    assert.match(told, /pets\.sock exists: stop the process that listens on it, or choose another path/)
    assert.equal(await remainingFrom('192.0.2.2'), '58')
    await stop(server)
    assert.ok(!existsSync(path))
  })

  it('does not replace a file, and needs an existing folder', { skip }, async () => {
    writeFileSync(join(folder, 'file'), 'precious')
    for (const [path, message] of [
      ['file', /^--listen: .*file exists: .* choose another path/],
      ['none/pets.sock', /^--listen: cannot listen on the socket .*: its folder must exist/],
    ] as const) {
      const [code, told] = await fail(`--listen unix:${join(folder, path)}`, { env })
      assert.equal(code, 1)
      assert.match(told, message)
    }
    assert.equal(readFileSync(join(folder, 'file'), 'utf8'), 'precious')
  })

  it('has its mode from the start', { skip }, async (t) => {
    const path = join(folder, 'from-the-start.sock')
    const before = process.umask()
    const server = createServer()
    t.after(() => server.close())
    let modeAtOnce = 0
    const listenAsNode = server.listen.bind(server)
    server.listen = (...target: unknown[]) => {
      listenAsNode(...(target as [])) // the arguments are passed on unchanged
      modeAtOnce = statSync(path).mode & 0o777
      return server
    }
    await listen(server, { kind: 'unix', path, source: '--listen' })
    assert.equal(modeAtOnce, 0o660)
    assert.equal(process.umask(), before)
  })
})

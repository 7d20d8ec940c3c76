import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, it, mock } from 'node:test'
import tls from 'node:tls'
import { authority, clientPair, serverPair } from '../testing/certificates.ts'
import { readText, sendingTo } from '../testing/sending.ts'
import { serveHttp, serveHttps } from '../testing/servers.ts'
import { describeError } from './advice.ts'
import { findTlsProblem } from './tls-options.ts'

describe('--ca', () => {
  it('adds to NODE_EXTRA_CA_CERTS', async () => {
    const server = await serveHttps((_, response) => response.end('[]'))
    const folder = mkdtempSync(join(tmpdir(), 'conformance-tls-'))
    const extra = join(folder, 'extra.pem')
    writeFileSync(extra, authority)
    const script = `
      const { sendingTo, readText } = await import('${new URL('../testing/sending.ts', import.meta.url)}')
      // another authority than the server's
      const { get } = sendingTo('https://localhost:${server.port}/', { tls: { ca: ${JSON.stringify(clientPair.cert)} } })
      console.log(readText(await get()))
      process.exit()`
    const args = ['--import', 'tsx', '--input-type=module', '-e', script]
    const env = { ...process.env, NODE_EXTRA_CA_CERTS: extra }
    const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'inherit'] })
    const out = await text(child.stdout)
    await server.close()
    rmSync(folder, { recursive: true })
    assert.equal(out.trim(), '[]')
  })

  it('is parsed once for all connections', async () => {
    const server = await serveHttps((_, response) => response.end('[]'))
    const { get, transport } = sendingTo(`https://localhost:${server.port}/`, { tls: { ca: authority } })
    const parsed = mock.method(tls, 'createSecureContext')
    const texts = [await get({ isFresh: true }), await get({ isFresh: true })].map(readText)
    const count = parsed.mock.callCount()
    parsed.mock.restore()
    transport.close()
    await server.close()
    assert.deepEqual([texts, count], [['[]', '[]'], 0])
  })
})

describe('TLS', () => {
  it('reports a plain-HTTP server', async () => {
    const plain = await serveHttp((_, response) => response.end('[]'))
    const { get, transport } = sendingTo(`https://localhost:${plain.port}/`)
    const received = await get()
    transport.close()
    await plain.close()
    assert.match(received.kind === 'error' ? describeError(received.error) : '', /does not speak TLS/)
  })

  it('checks its options before anything is sent, and quotes none', () => {
    assert.equal(findTlsProblem({ ca: authority, ...clientPair }), undefined)
    const secret = 'nonsense-that-is-secret'
    const encrypted = clientPair.key.replaceAll('PRIVATE KEY', 'ENCRYPTED PRIVATE KEY')
    for (const [tls, option, problem] of [
      [{ ca: secret }, 'ca', /no certificate/],
      [{ cert: secret, key: clientPair.key }, 'cert', /no certificate/],
      [{ cert: clientPair.cert, key: secret }, 'key', /no private key/],
      [{ cert: clientPair.cert, key: encrypted }, 'key', /is encrypted/],
      [{ cert: clientPair.cert, key: serverPair.key }, 'key', /not the key of the certificate/],
    ] as const) {
      const found = findTlsProblem(tls)
      assert.equal(found?.option, option)
      assert.match(found?.problem ?? '', problem)
      assert.ok(!found?.problem.includes(secret))
    }
  })
})

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, it, mock } from 'node:test'
import tls from 'node:tls'
import { authorityCert, clientPair, serverPair } from '../testing/certificates.ts'
import { createTestSender, readText } from '../testing/sending.ts'
import { serveHttp, serveHttps } from '../testing/servers.ts'
import { describeError } from './advice.ts'
import { findTlsProblem } from './tls-options.ts'

describe('trusted certificate authorities', () => {
  it('include NODE_EXTRA_CA_CERTS', async () => {
    const server = await serveHttps((_, response) => response.end('[]'))
    const folder = mkdtempSync(join(tmpdir(), 'conformance-tls-'))
    const extraPath = join(folder, 'extra.pem')
    writeFileSync(extraPath, authorityCert)
    const script = `
      const { createTestSender, readText } = await import('${new URL('../testing/sending.ts', import.meta.url)}')
      // another authority than the server's
      const { get } = createTestSender('https://localhost:${server.port}/', { tls: { ca: ${JSON.stringify(clientPair.clientCert)} } })
      console.log(readText(await get()))
      process.exit()`
    const args = ['--import', 'tsx', '--input-type=module', '-e', script]
    const env = { ...process.env, NODE_EXTRA_CA_CERTS: extraPath }
    const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'inherit'] })
    const stdoutText = await text(child.stdout)
    await server.close()
    rmSync(folder, { recursive: true })
    assert.equal(stdoutText.trim(), '[]')
  })

  it('are loaded once per run', async () => {
    const server = await serveHttps((_, response) => response.end('[]'))
    const { get, transport } = createTestSender(`https://localhost:${server.port}/`, {
      tls: { ca: authorityCert },
    })
    const createContextMock = mock.method(tls, 'createSecureContext')
    const responseTexts = [await get({ opensConnection: true }), await get({ opensConnection: true })].map(
      readText,
    )
    const callCount = createContextMock.mock.callCount()
    createContextMock.mock.restore()
    transport.close()
    await server.close()
    assert.deepEqual([responseTexts, callCount], [['[]', '[]'], 0])
  })
})

describe('TLS', () => {
  it("sends the URL's host name to the server", async () => {
    const server = await serveHttps((request, response) => {
      const { socket } = request
      response.end(socket instanceof tls.TLSSocket ? String(socket.servername) : '')
    })
    const { get, transport } = createTestSender(`https://pets.localhost:${server.port}/`, {
      tls: { rejectUnauthorized: false },
    })
    const receivedResponse = await get()
    transport.close()
    await server.close()
    assert.equal(readText(receivedResponse), 'pets.localhost')
  })

  it('explains that a port speaks plain HTTP', async () => {
    const plainServer = await serveHttp((_, response) => response.end('[]'))
    const { get, transport } = createTestSender(`https://localhost:${plainServer.port}/`)
    const receivedResponse = await get()
    transport.close()
    await plainServer.close()
    assert.match(
      receivedResponse.kind === 'error' ? describeError(receivedResponse.error) : '',
      /does not speak TLS/,
    )
  })

  it('explains invalid certificates and keys without quoting them', () => {
    assert.equal(findTlsProblem({ ca: authorityCert, ...clientPair }), undefined)
    const secret = 'nonsense-that-is-secret'
    const { privateKey: rsaKey } = generateKeyPairSync('rsa', {
      modulusLength: 2048,
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    })
    const encrypted = clientPair.clientKey.replaceAll('PRIVATE KEY', 'ENCRYPTED PRIVATE KEY')
    for (const [tls, option, problem] of [
      [{ ca: secret }, 'ca', /does not contain a PEM certificate/],
      [
        { clientCert: secret, clientKey: clientPair.clientKey },
        'clientCert',
        /does not contain a PEM certificate/,
      ],
      [
        { clientCert: clientPair.clientCert, clientKey: secret },
        'clientKey',
        /does not contain a PEM private key/,
      ],
      [{ clientCert: clientPair.clientCert, clientKey: encrypted }, 'clientKey', /is encrypted/],
      [
        { clientCert: clientPair.clientCert, clientKey: serverPair.key },
        'clientKey',
        /does not match the certificate/,
      ],
      [
        { clientCert: clientPair.clientCert, clientKey: rsaKey },
        'clientKey',
        /does not match the certificate/,
      ],
    ] as const) {
      const tlsProblem = findTlsProblem(tls)
      assert.equal(tlsProblem?.option, option)
      assert.match(tlsProblem?.problem ?? '', problem)
      assert.ok(!tlsProblem?.problem.includes(secret))
    }
  })
})

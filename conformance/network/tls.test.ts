import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { describeError } from './advice.ts'
import { authority, clientPair, serverPair } from './testing/certificates.ts'
import { sendingTo, textOf } from './testing/sending.ts'
import { serveHttp, serveHttps, type TestServer } from './testing/servers.ts'
import { type TlsOptions, tlsProblem } from './tls-options.ts'

describe('TLS', () => {
  let open: TestServer
  let mutual: TestServer
  let plain: TestServer
  before(async () => {
    open = await serveHttps((_, response) => response.end('[]'))
    mutual = await serveHttps((_, response) => response.end('[]'), true)
    plain = await serveHttp((_, response) => response.end('[]'))
  })
  after(async () => {
    for (const server of [open, mutual, plain]) await server.close()
  })

  /** Returns the body of a response, or the description of the error. */
  async function attempt(server: TestServer, tls: TlsOptions, host = 'localhost'): Promise<string> {
    const { get, transport } = sendingTo(`https://${host}:${server.port}/`, { tls })
    const received = await get()
    transport.close()
    return received.kind === 'error' ? describeError(received.error) : textOf(received)
  }

  it('a certificate of an authority that is given is accepted, for a name and an address', async () => {
    assert.equal(await attempt(open, { ca: authority }), '[]')
    assert.equal(await attempt(open, { ca: authority }, '127.0.0.1'), '[]')
  })

  it('a certificate of another authority is an error that names --ca', async () => {
    assert.match(await attempt(open, {}), /--ca FILE/)
  })

  it('any certificate is accepted if it is not to be verified', async () => {
    assert.equal(await attempt(open, { rejectUnauthorized: false }), '[]')
  })

  it('a server that requires a client certificate gets it; without one, the error names --cert', async () => {
    assert.equal(await attempt(mutual, { ca: authority, ...clientPair }), '[]')
    assert.match(await attempt(mutual, { ca: authority }), /--cert FILE and --key-file FILE/)
  })

  it('a server that speaks no TLS is an error that says so', async () => {
    assert.match(await attempt(plain, {}), /does not speak TLS/)
  })

  it('options are checked before anything is sent, and not quoted', () => {
    assert.equal(tlsProblem({ ca: authority, ...clientPair }), undefined)
    const secret = 'nonsense-that-is-secret'
    const encrypted = clientPair.key.replaceAll('PRIVATE KEY', 'ENCRYPTED PRIVATE KEY')
    for (const [tls, option, problem] of [
      [{ ca: secret }, 'ca', /no certificate/],
      [{ cert: secret, key: clientPair.key }, 'cert', /no certificate/],
      [{ cert: clientPair.cert, key: secret }, 'key', /no private key/],
      [{ cert: clientPair.cert, key: encrypted }, 'key', /is encrypted/],
      [{ cert: clientPair.cert, key: serverPair.key }, 'key', /not the key of the certificate/],
    ] as const) {
      const found = tlsProblem(tls)
      assert.equal(found?.option, option)
      assert.match(found?.problem ?? '', problem)
      assert.ok(!found?.problem.includes(secret))
    }
  })
})

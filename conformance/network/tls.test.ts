import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { authority, clientPair, serverPair } from '../testing/certificates.ts'
import { sendingTo } from '../testing/sending.ts'
import { serveHttp } from '../testing/servers.ts'
import { describeError } from './advice.ts'
import { tlsProblem } from './tls-options.ts'

describe('TLS', () => {
  it('of a server that speaks none is an error that says so', async () => {
    const plain = await serveHttp((_, response) => response.end('[]'))
    const { get, transport } = sendingTo(`https://localhost:${plain.port}/`)
    const received = await get()
    transport.close()
    await plain.close()
    assert.match(received.kind === 'error' ? describeError(received.error) : '', /does not speak TLS/)
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

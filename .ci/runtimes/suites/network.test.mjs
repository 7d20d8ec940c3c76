// The conformance suite over TLS and through a proxy, against servers in the same runtime.
import { describe, it } from 'node:test'
import { runConformance } from '../../../conformance/index.ts'
import { authority, clientPair } from '../../../conformance/testing/certificates.ts'
import { serveHttp, serveHttps, serveProxy } from '../../../conformance/testing/servers.ts'

describe('the conformance suite over a network', () => {
  const empty = (_, response) => response.writeHead(200, { 'content-type': 'application/json' }).end('[]')
  const tls = { ca: authority, ...clientPair }

  async function readVerdict(serve, scheme, options) {
    const server = await serve(empty)
    const proxy = await serveProxy()
    try {
      const { rules, endedEarly } = await runConformance({
        baseUrl: `${scheme}://localhost:${server.port}/v1`,
        key: 'key-of-the-suite',
        ...options(`http://127.0.0.1:${proxy.port}`),
      })
      return endedEarly ?? rules.find(({ id }) => id === 'LIST-1').verdict
    } finally {
      await server.close()
      await proxy.close()
    }
  }

  for (const [name, serve, scheme, options] of [
    ['https with the certificate of an authority', serveHttps, 'https', () => ({ tls })],
    ['https without verification', serveHttps, 'https', () => ({ tls: { rejectUnauthorized: false } })],
    ['http through a proxy', serveHttp, 'http', (proxy) => ({ proxy })],
    ['https through a proxy', serveHttps, 'https', (proxy) => ({ tls, proxy })],
  ]) {
    it(name, async () => {
      const verdict = await readVerdict(serve, scheme, options)
      if (verdict !== 'pass') throw new Error(verdict)
    })
  }
  it('https with an untrusted certificate names --ca', async () => {
    const verdict = await readVerdict(serveHttps, 'https', () => ({}))
    if (!verdict.includes('--ca FILE')) throw new Error(verdict)
  })
})

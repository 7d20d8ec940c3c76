// Tests the suite's TLS options, which runtimes pass to their own TLS.
import { equal, match } from 'node:assert/strict'
import { describe, it } from 'node:test'
import { runConformance } from '../../../conformance/index.ts'
import { authorityCert, clientPair } from '../../../conformance/testing/certificates.ts'
import { serveHttps } from '../../../conformance/testing/servers.ts'

/** Returns the verdict on a list over HTTPS, or why the run ended early. */
async function readVerdict(tls) {
  const { port, close } = await serveHttps((_, response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end('[]'),
  )
  try {
    const baseUrl = `https://localhost:${port}/v1`
    const { rules, endedEarly } = await runConformance({ baseUrl, apiKey: 'key-of-the-suite', tls })
    return endedEarly ?? rules.find(({ id }) => id === 'LIST-1').verdict
  } finally {
    await close()
  }
}

describe('the conformance suite over TLS', () => {
  it('accepts a server whose authority is in ca', async () =>
    equal(await readVerdict({ ca: authorityCert, ...clientPair }), 'pass'))

  it('accepts any certificate with rejectUnauthorized: false', async () =>
    equal(await readVerdict({ rejectUnauthorized: false }), 'pass'))

  it('suggests --ca when the certificate is not trusted', async () =>
    match(await readVerdict({}), /--ca FILE/))
})

// The conformance suite over TLS, against servers in the same runtime.
import { equal, match } from 'node:assert/strict'
import { describe, it } from 'node:test'
import { runConformance } from '../../../conformance/index.ts'
import { authority, clientPair } from '../../../conformance/testing/certificates.ts'
import { serveHttps } from '../../../conformance/testing/servers.ts'

/** Returns the verdict of a rule that a list proves, or why the run ended early. */
async function readVerdict(tls) {
  const { port, close } = await serveHttps((_, response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end('[]'),
  )
  try {
    const baseUrl = `https://localhost:${port}/v1`
    const { rules, endedEarly } = await runConformance({ baseUrl, key: 'key-of-the-suite', tls })
    return endedEarly ?? rules.find(({ id }) => id === 'LIST-1').verdict
  } finally {
    await close()
  }
}

describe('the conformance suite over TLS', () => {
  it('accepts a certificate of an authority', async () =>
    equal(await readVerdict({ ca: authority, ...clientPair }), 'pass'))

  it('verifies nothing if it is told to', async () =>
    equal(await readVerdict({ rejectUnauthorized: false }), 'pass'))

  it('names --ca if the certificate is untrusted', async () => match(await readVerdict({}), /--ca FILE/))
})

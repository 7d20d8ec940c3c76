import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, createServer, type IncomingHttpHeaders } from 'node:http2'
import { it } from 'node:test'
import { listen } from '../testing/listen.ts'
import { authHeaders, createTestService, rex } from '../testing/mount-suite/open-mount.ts'
import { createNodeHandler, type NodeHandler } from './index.ts'

it('createNodeHandler responds to HTTP/2 requests with 500', async (t) => {
  const causes: unknown[] = []
  const page: NodeHandler = (_req, res) => res.end('page')
  const handler = createNodeHandler(createTestService({ onError: (cause) => causes.push(cause) }), {
    fallback: page,
  })
  const server = createServer(handler as never) // simulates an untyped caller
  const port = await listen(server)
  const session = connect(`http://127.0.0.1:${port}`)
  t.after(() => {
    session.close()
    server.close()
  })
  async function send(headers: IncomingHttpHeaders, body?: string) {
    const stream = session.request(headers, { endStream: body === undefined })
    if (body !== undefined) stream.end(body)
    const [received] = (await once(stream, 'response')) as [IncomingHttpHeaders]
    let text = ''
    for await (const chunk of stream) text += chunk
    return { status: received[':status'], received, text }
  }
  const authorization = authHeaders.zoo[1]
  for (const sent of [
    await send({ ':path': '/v1/pets', authorization }),
    await send({ ':path': '/v1/pets', ':method': 'POST', authorization }, rex),
  ]) {
    assert.equal(Number(sent.status), 500)
    assert.match(sent.text, /"code":"internal_error"/)
    assert.match(String(sent.received['x-ratelimit-limit']), /^\d+$/)
  }
  assert.equal((await send({ ':path': '/page' })).text, 'page')
  assert.match(String(causes), /^TypeError: createNodeHandler\(\) supports only HTTP\/1/)
})

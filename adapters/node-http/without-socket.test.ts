import assert from 'node:assert/strict'
import { EventEmitter, once } from 'node:events'
import { IncomingMessage, ServerResponse } from 'node:http'
import { Readable, Writable } from 'node:stream'
import { describe, it } from 'node:test'
import { authHeaders, createTestService } from '../testing/mount-suite/open-mount.ts'
import { callerOf, createNodeHandler, createPetServer, requireKey, toServiceRequest } from './index.ts'

const rex = '{"name":"Rex","categoryId":9007199254740993}'
const [, authorization] = authHeaders.zoo

interface RequestFields {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, unknown>>
  readonly body: string
}

/** Returns the members that every kind of request has, with a number as `Content-Length` and no raw headers. */
const toRequestProperties = ({ method, url, headers, body }: RequestFields) => ({
  method,
  url,
  headers: { host: 'x', ...headers, ...(body && { 'content-length': Buffer.byteLength(body) }) },
  rawHeaders: [],
  httpVersion: '1.1',
})

/** Request objects as serverless bridges and test tools create them, without a real socket. */
const requestKinds: Readonly<Record<string, (asked: RequestFields) => object>> = {
  'serverless-http': (asked) => {
    const socket = { remoteAddress: '192.0.2.1', destroy() {} } as never // has the members that the library reads
    const req = Object.assign(new IncomingMessage(socket), toRequestProperties(asked), {
      complete: true,
      body: Buffer.from(asked.body),
    })
    req._read = () => {
      req.push(asked.body)
      req.push(null)
    }
    return req
  },
  "Fastify's inject": (asked) => {
    const socket = Object.assign(new EventEmitter(), { remoteAddress: '127.0.0.1' })
    const parts = asked.body ? [Buffer.from(asked.body)] : []
    return Object.assign(Readable.from(parts, { objectMode: false }), toRequestProperties(asked), { socket })
  },
  'node-mocks-http': (asked) =>
    Object.assign(new EventEmitter(), toRequestProperties(asked), asked.body && { body: asked.body }),
}

/** Handles a request without a connection, and returns the whole response as text. */
async function sendRequest(
  kind: string,
  handler: (req: IncomingMessage, res: ServerResponse) => unknown,
  asked: Partial<RequestFields>,
): Promise<string> {
  const whole = { method: 'GET', url: '/v1/pets', headers: { authorization }, body: '', ...asked }
  const req = requestKinds[kind]?.(whole) as IncomingMessage // as far as its tool makes it one
  const res = new ServerResponse(req)
  let text = ''
  const write = (chunk: Buffer, _encoding: string, done: () => void) => {
    text += chunk
    setImmediate(done)
  }
  res.assignSocket(new Writable({ write }) as never) // ServerResponse only writes to the socket
  const finished = once(res, 'finish')
  await handler(req, res)
  await finished
  return text
}

for (const kind of Object.keys(requestKinds))
  describe(`a request from ${kind}`, () => {
    const causes: unknown[] = []
    const service = createTestService({ onError: (cause) => causes.push(cause) })
    const handlers = {
      createNodeHandler: createNodeHandler(service),
      createPetServer: (req: IncomingMessage, res: ServerResponse) =>
        createPetServer(service).emit('request', req, res),
    }
    for (const [name, handler] of Object.entries(handlers))
      it(`is handled by ${name}`, async () => {
        const created = await sendRequest(kind, handler, { method: 'POST', body: rex })
        assert.match(created, /^HTTP\/1.1 201 .*"categoryId":9007199254740993/s)
        assert.match(await sendRequest(kind, handler, {}), /^HTTP\/1.1 200 .*X-RateLimit-Limit: 100000/s)
        assert.match(
          await sendRequest(kind, handler, { method: 'POST', body: 'x'.repeat(70_000) }),
          /^HTTP\/1.1 413 /,
        )
        assert.match(await sendRequest(kind, handler, { headers: {} }), /^HTTP\/1.1 401 /)
        assert.deepEqual(causes, [])
      })

    it('passes requireKey and service.authenticate', async () => {
      const own = requireKey(service)
      const passed = await sendRequest(
        kind,
        (req, res) => own(req, res, () => res.end(`by ${callerOf(req).id}`)),
        {},
      )
      assert.match(passed, /by zoo$/)
      const authenticate = async (req: IncomingMessage, res: ServerResponse) => {
        const { authenticated } = await service.authenticate(toServiceRequest(req, res))
        res.end(`${authenticated}`)
      }
      assert.match(await sendRequest(kind, authenticate, {}), /true$/)
      assert.match(await sendRequest(kind, authenticate, { headers: {} }), /false$/)
      assert.deepEqual(causes, [])
    })
  })

describe('an incomplete request object', () => {
  it('does not make requireKey reject', async () => {
    const causes: unknown[] = []
    const own = requireKey(createTestService({ onError: (cause) => causes.push(cause) }))
    const headers = { host: 'x', authorization }
    const bare = [
      { url: '/', headers, httpVersion: '1.1' },
      { getHeader() {}, setHeader() {} },
    ]
    assert.equal(await own(...(bare as unknown as Parameters<typeof own>)), true)
    assert.deepEqual(causes, [])
    assert.equal(await own(...([{}, {}] as unknown as Parameters<typeof own>)), false)
    assert.equal(causes.length, 1)
  })

  it('with a parsed body gets a 500', async () => {
    const causes: unknown[] = []
    const handler = createNodeHandler(createTestService({ onError: (cause) => causes.push(cause) }))
    const parse = (req: IncomingMessage, res: ServerResponse) =>
      handler(Object.assign(req, { body: JSON.parse(rex) }), res)
    assert.match(
      await sendRequest('node-mocks-http', parse, { method: 'POST', body: rex }),
      /^HTTP\/1.1 500 /,
    )
    assert.equal(causes.length, 1)
    assert.match(String(causes), /The request body has already been read/)
  })
})

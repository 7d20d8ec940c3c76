import assert from 'node:assert/strict'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { describe, it, type TestContext } from 'node:test'
import type { ServiceOptions } from '../../core/index.ts'
import { assertConforms, readCode } from '../testing/exchange.ts'
import { authHeaders, rex, toCreateRequest } from '../testing/mount-suite/open-mount.ts'
import { serve, type TestServer } from '../testing/serve.ts'
import { formatHead } from '../testing/wire.ts'

type Prepare = (req: IncomingMessage, res: ServerResponse) => void

/** Starts a server with middleware before the interface, and records the errors passed to `onError`. */
async function serveBehind(t: TestContext, prepare: Prepare, options: Partial<ServiceOptions> = {}) {
  const causes: unknown[] = []
  const served = await serve(t, {
    service: { ...options, onError: (cause) => causes.push(cause) },
    listener: (mount) => (req, res) => {
      prepare(req, res)
      mount(req, res)
    },
  })
  return { ...served, causes }
}

/** Calls a listener before the headers are written. Like on-headers 1.0, it reads a flat list of headers as pairs. */
function runBeforeHeaders(res: ServerResponse, listener: () => void): void {
  const { writeHead } = res
  res.writeHead = (status: number, headers?: unknown) => {
    res.statusCode = status
    if (Array.isArray(headers)) for (const [name, value] of headers) res.setHeader(name, value)
    else for (const [name, value] of Object.entries(headers ?? {})) res.setHeader(name, value)
    listener()
    return writeHead.call(res, res.statusCode)
  }
}

const wrapWriteHead: Prepare = (_req, res) =>
  runBeforeHeaders(res, () => res.setHeader('X-Response-Time', `${res.getHeader('content-length')} bytes`))

const getRequest = formatHead('GET /v1/pets/1 HTTP/1.1', 'Host: x', authHeaders.zoo.join(': '))
const listRequest = formatHead('GET /v1/pets HTTP/1.1', 'Host: x', authHeaders.zoo.join(': '))

/** Asserts that the response is a 500 with rate limit headers, and that the error is reported. */
async function assertReportsError({ send, causes }: TestServer & { causes: unknown[] }, message: RegExp) {
  const response = await send({ headers: [authHeaders.zoo] })
  assert.deepEqual([response.status, readCode(response)], [500, 'internal_error'])
  assertConforms(response, 'GET')
  assert.equal(response.headers.get('x-ratelimit-limit'), '100000')
  assert.match(String(causes), message)
}

describe('middleware that wraps writeHead', () => {
  it('can read Content-Length and add a header', async (t) => {
    const { send, causes } = await serveBehind(t, wrapWriteHead)
    const created = await send(toCreateRequest(rex))
    assert.equal(created.status, 201)
    assert.equal(created.headers.get('x-response-time'), `${Buffer.byteLength(created.text)} bytes`)
    assert.match(
      (await send({ headers: [authHeaders.zoo], target: '/v1/pets/1' })).headers.get('sunset') ?? '',
      /2030/,
    )
    assert.deepEqual(causes, [])
  })

  it('can add a header to a 413 that closes the connection', async (t) => {
    const { ask, causes } = await serveBehind(t, wrapWriteHead)
    const long = formatHead(
      'POST /v1/pets HTTP/1.1',
      'Host: x',
      authHeaders.zoo.join(': '),
      'Content-Length: 900000',
    )
    const response = await ask(long)
    assert.deepEqual([response.status, response.headers.get('connection')], [413, 'close'])
    assert.match(response.headers.get('x-response-time') ?? '', /bytes/)
    assert.deepEqual(causes, [])
  })

  it('does not disturb the response to a malformed chunk', async (t) => {
    const { ask, causes } = await serveBehind(t, wrapWriteHead)
    const chunked = formatHead(
      'POST /v1/pets HTTP/1.1',
      'Host: x',
      authHeaders.zoo.join(': '),
      'Transfer-Encoding: chunked',
    )
    assert.equal((await ask(`${chunked}zz\r\n`)).status, 400)
    assert.deepEqual(causes, [])
  })
})

describe('headers from earlier middleware', () => {
  const cors = { cors: ['https://pets.example'] }
  for (const [how, wrap] of [
    ["with Node's writeHead", () => {}],
    ['with a wrapped writeHead', wrapWriteHead],
  ] as const) {
    it(`are merged or replaced ${how}`, async (t) => {
      const { send } = await serveBehind(
        t,
        (req, res) => {
          res.setHeader('Vary', 'Accept-Encoding, origin')
          res.setHeader('Link', '</help>; rel="help"')
          res.setHeader('Cache-Control', 'private, no-transform')
          res.setHeader('X-RateLimit-Limit', 'none')
          wrap(req, res)
        },
        cors,
      )
      const origin = ['Origin', 'https://pets.example'] as const
      const { headers } = await send({ headers: [authHeaders.zoo, origin], target: '/v1/pets/1' })
      assert.equal(headers.get('vary'), 'Accept-Encoding, origin')
      assert.equal(headers.get('link'), '</help>; rel="help", </v1/pets>; rel="successor-version"')
      assert.equal(headers.get('cache-control'), 'private, no-transform, no-store')
      assert.match(headers.get('x-ratelimit-limit') ?? '', /^\d+$/)
    })
  }

  it('are merged if Link has several values', async (t) => {
    const { send } = await serveBehind(t, (_req, res) => {
      res.setHeader('Link', ['</a>; rel="a"', '</b>; rel="b"'])
    })
    const { headers } = await send({ headers: [authHeaders.zoo], target: '/v1/pets/1' })
    assert.match(headers.get('link') ?? '', /^<\/a>; rel="a", <\/b>; rel="b", <\/v1\/pets>/)
  })
})

describe('middleware that throws', () => {
  it('in writeHead causes a 500', async (t) => {
    const served = await serveBehind(t, (_req, res) => {
      const { writeHead } = res
      let calls = 0
      res.writeHead = (...args: unknown[]) => {
        if (calls++ === 0) throw new Error('a broken writeHead')
        return writeHead.apply(res, args as never) // forwards the original arguments
      }
    })
    await assertReportsError(served, /a broken writeHead/)
  })

  it('in setHeader causes a 500', async (t) => {
    const served = await serveBehind(t, (req, res) => {
      wrapWriteHead(req, res)
      const { setHeader } = res
      res.setHeader = (name, value) => {
        if (name === 'Content-Type' && res.statusCode < 500) throw new Error('a broken setHeader')
        return setHeader.call(res, name, value)
      }
    })
    await assertReportsError(served, /a broken setHeader/)
  })

  it('in every writeHead closes the connection', async (t) => {
    const { connect, causes, ask } = await serveBehind(t, (req, res) => {
      if (req.url === '/v1/pets')
        res.writeHead = () => {
          throw new Error('a broken writeHead')
        }
    })
    const wire = await connect()
    wire.write(listRequest)
    assert.deepEqual(await wire.readAll(), [])
    assert.match(String(causes), /a broken writeHead/)
    assert.equal((await ask(getRequest)).status, 404)
  })

  it('in end after the headers closes the connection', async (t) => {
    const { connect, causes } = await serveBehind(t, (_req, res) => {
      const { end } = res
      res.end = (...args: unknown[]) => {
        res.flushHeaders()
        res.end = end
        throw new Error(`a broken end of ${args.length}`)
      }
    })
    const wire = await connect()
    wire.write(listRequest)
    for (const { text } of await wire.readAll()) assert.equal(text, '')
    assert.match(String(causes), /a broken end/)
  })

  it('in writeHead closes the connection after a malformed request', async (t) => {
    const { connect, causes } = await serveBehind(t, (_req, res) => {
      res.writeHead = () => {
        throw new Error('a broken writeHead')
      }
    })
    const wire = await connect()
    wire.write(`${formatHead('POST /v1/nothing HTTP/1.1', 'Host: x', 'Transfer-Encoding: chunked')}zz\r\n`)
    assert.deepEqual(await wire.readAll(), [])
    assert.match(String(causes), /a broken writeHead/)
  })
})

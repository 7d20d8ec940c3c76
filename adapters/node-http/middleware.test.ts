import assert from 'node:assert/strict'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { describe, it, type TestContext } from 'node:test'
import type { ServiceOptions } from '../../core/index.ts'
import { assertLawful, readCode } from '../testing/exchange.ts'
import { auth, creation, rex } from '../testing/mount-suite/open.ts'
import { type Served, serve } from '../testing/serve.ts'
import { head } from '../testing/wire.ts'

type Prepare = (req: IncomingMessage, res: ServerResponse) => void

/** Serves a service behind a middleware that prepares each response. Collects what `onError` receives. */
async function servedBehind(t: TestContext, prepare: Prepare, options: Partial<ServiceOptions> = {}) {
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

/** Calls `listener` before the headers are sent, and takes a list of headers for pairs, as on-headers 1.0 does. */
function onHeaders(res: ServerResponse, listener: () => void): void {
  const { writeHead } = res
  res.writeHead = (status: number, headers?: unknown) => {
    res.statusCode = status
    if (Array.isArray(headers)) for (const [name, value] of headers) res.setHeader(name, value)
    else for (const [name, value] of Object.entries(headers ?? {})) res.setHeader(name, value)
    listener()
    return writeHead.call(res, res.statusCode)
  }
}

const wrapped: Prepare = (_req, res) =>
  onHeaders(res, () => res.setHeader('X-Response-Time', `${res.getHeader('content-length')} bytes`))

const get = head('GET /v1/pets/1 HTTP/1.1', 'Host: x', auth.zoo.join(': '))
const list = head('GET /v1/pets HTTP/1.1', 'Host: x', auth.zoo.join(': '))

/** Asserts that a request gets a 500 with the numbers of its caller, and that `onError` receives the cause. */
async function assertReported({ send, causes }: Served & { causes: unknown[] }, message: RegExp) {
  const response = await send({ headers: [auth.zoo] })
  assert.deepEqual([response.status, readCode(response)], [500, 'internal_error'])
  assertLawful(response, 'GET')
  assert.equal(response.headers.get('x-ratelimit-limit'), '100000')
  assert.match(String(causes), message)
}

describe('middleware that wraps writeHead', () => {
  it('sees every header of a response', async (t) => {
    const { send, causes } = await servedBehind(t, wrapped)
    const created = await send(creation(rex))
    assert.equal(created.status, 201)
    assert.equal(created.headers.get('x-response-time'), `${Buffer.byteLength(created.text)} bytes`)
    assert.match(
      (await send({ headers: [auth.zoo], target: '/v1/pets/1' })).headers.get('sunset') ?? '',
      /2030/,
    )
    assert.deepEqual(causes, [])
  })

  it('sees the response to a body that is too long', async (t) => {
    const { ask, causes } = await servedBehind(t, wrapped)
    const long = head('POST /v1/pets HTTP/1.1', 'Host: x', auth.zoo.join(': '), 'Content-Length: 900000')
    const response = await ask(long)
    assert.deepEqual([response.status, response.headers.get('connection')], [413, 'close'])
    assert.match(response.headers.get('x-response-time') ?? '', /bytes/)
    assert.deepEqual(causes, [])
  })

  it('sees the response to a body that cannot be parsed', async (t) => {
    const { ask, causes } = await servedBehind(t, wrapped)
    const chunked = head(
      'POST /v1/pets HTTP/1.1',
      'Host: x',
      auth.zoo.join(': '),
      'Transfer-Encoding: chunked',
    )
    assert.equal((await ask(`${chunked}zz\r\n`)).status, 400)
    assert.deepEqual(causes, [])
  })
})

describe('headers of earlier middleware', () => {
  const cors = { cors: ['https://pets.example'] }
  for (const [how, wrap] of [
    ['with writeHead of Node', () => {}],
    ['with a wrapped writeHead', wrapped],
  ] as const) {
    it(`are merged with Vary, Link and Cache-Control ${how}`, async (t) => {
      const { send } = await servedBehind(
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
      const { headers } = await send({ headers: [auth.zoo, origin], target: '/v1/pets/1' })
      assert.equal(headers.get('vary'), 'Accept-Encoding, origin')
      assert.equal(headers.get('link'), '</help>; rel="help", </v1/pets>; rel="successor-version"')
      assert.equal(headers.get('cache-control'), 'private, no-transform, no-store')
      assert.match(headers.get('x-ratelimit-limit') ?? '', /^\d+$/)
    })
  }

  it('are merged if they are lists', async (t) => {
    const { send } = await servedBehind(t, (_req, res) => {
      res.setHeader('Link', ['</a>; rel="a"', '</b>; rel="b"'])
    })
    const { headers } = await send({ headers: [auth.zoo], target: '/v1/pets/1' })
    assert.match(headers.get('link') ?? '', /^<\/a>; rel="a", <\/b>; rel="b", <\/v1\/pets>/)
  })
})

describe('an exception after the handler', () => {
  it('of writeHead is a 500', async (t) => {
    const served = await servedBehind(t, (_req, res) => {
      const { writeHead } = res
      let calls = 0
      res.writeHead = (...args: unknown[]) => {
        if (calls++ === 0) throw new Error('a broken writeHead')
        return writeHead.apply(res, args as never) // whatever it was called with
      }
    })
    await assertReported(served, /a broken writeHead/)
  })

  it('of setHeader is a 500', async (t) => {
    const served = await servedBehind(t, (req, res) => {
      wrapped(req, res)
      const { setHeader } = res
      res.setHeader = (name, value) => {
        if (name === 'Content-Type' && res.statusCode < 500) throw new Error('a broken setHeader')
        return setHeader.call(res, name, value)
      }
    })
    await assertReported(served, /a broken setHeader/)
  })

  it('of every writeHead closes the connection', async (t) => {
    const { connect, causes, ask } = await servedBehind(t, (req, res) => {
      if (req.url === '/v1/pets')
        res.writeHead = () => {
          throw new Error('a broken writeHead')
        }
    })
    const wire = await connect()
    wire.write(list)
    assert.deepEqual(await wire.readAll(), [])
    assert.match(String(causes), /a broken writeHead/)
    assert.equal((await ask(get)).status, 404)
  })

  it('in the middle of a response closes the connection', async (t) => {
    const { connect, causes } = await servedBehind(t, (_req, res) => {
      const { end } = res
      res.end = (...args: unknown[]) => {
        res.flushHeaders()
        res.end = end
        throw new Error(`a broken end of ${args.length}`)
      }
    })
    const wire = await connect()
    wire.write(list)
    for (const { text } of await wire.readAll()) assert.equal(text, '')
    assert.match(String(causes), /a broken end/)
  })

  it('of the response to a broken body closes the connection', async (t) => {
    const { connect, causes } = await servedBehind(t, (_req, res) => {
      res.writeHead = () => {
        throw new Error('a broken writeHead')
      }
    })
    const wire = await connect()
    wire.write(`${head('POST /v1/nothing HTTP/1.1', 'Host: x', 'Transfer-Encoding: chunked')}zz\r\n`)
    assert.deepEqual(await wire.readAll(), [])
    assert.match(String(causes), /a broken writeHead/)
  })
})

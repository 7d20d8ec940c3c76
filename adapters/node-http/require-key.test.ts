import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import { describe, it, type TestContext } from 'node:test'
import type { ServiceOptions } from '../../core/index.ts'
import { assertConforms, readCode } from '../testing/exchange.ts'
import { authHeaders } from '../testing/mount-suite/open-mount.ts'
import { serve } from '../testing/serve.ts'
import { formatHead } from '../testing/wire.ts'
import { callerOf, requireKey } from './index.ts'

const target = '/orders'

/** Starts a server with the interface, and `/orders` behind requireKey. */
const serveOrders = (
  t: TestContext,
  service: Partial<ServiceOptions> = {},
  earlier: [string, string][] = [],
) =>
  serve(t, {
    service,
    listener: (mount, pets) => {
      const authenticate = requireKey(pets)
      return (req, res) => {
        if (req.url !== target) return mount(req, res)
        for (const [name, value] of earlier) res.setHeader(name, value)
        authenticate(req, res, async () => {
          let body = ''
          for await (const chunk of req) body += chunk
          res.setHeader('Content-Length', String(body.length))
          res.end(body)
          assert.equal(callerOf(req).plan, 'enterprise')
        })
      }
    },
  })

describe('requireKey', () => {
  it('passes on a request with its body, and sets rate limit headers', async (t) => {
    const { send } = await serveOrders(t)
    const { status, headers, text } = await send({
      method: 'POST',
      target,
      headers: [authHeaders.zoo],
      body: 'two',
    })
    assert.deepEqual([status, text], [200, 'two'])
    assert.equal(headers.get('x-ratelimit-remaining'), '99999')
    assert.equal(headers.get('cache-control'), 'no-store')
  })

  it('shares rate limits with the interface', async (t) => {
    const { send } = await serveOrders(t)
    const statuses: number[] = []
    for (const path of [target, '/v1/pets', target]) {
      const response = await send({ target: path, headers: [authHeaders.small] })
      statuses.push(response.status)
      if (response.status === 429) assertConforms(response, 'GET')
    }
    assert.deepEqual(statuses, [200, 200, 429])
  })

  for (const [what, headers, code] of [
    ['a request without a key', [], 'missing_api_key'],
    ['an unknown key', [authHeaders.unknown], 'invalid_api_key'],
    ['two Host headers', [authHeaders.zoo, ['Host', 'a'], ['Host', 'b']], 'invalid_request'],
  ] as const) {
    it(`rejects ${what}`, async (t) => {
      const { send } = await serveOrders(t)
      const response = await send({ target, headers })
      assertConforms(response, 'GET')
      assert.equal(readCode(response), code)
    })
  }

  it('responds to CORS preflight requests', async (t) => {
    const { send } = await serveOrders(t, { cors: ['https://pets.example'] })
    const asks = [
      ['Origin', 'https://pets.example'],
      ['Access-Control-Request-Method', 'DELETE'],
    ] as const
    const { status, headers } = await send({ target, method: 'OPTIONS', headers: asks })
    assert.deepEqual([status, headers.get('access-control-allow-methods')], [204, 'DELETE'])
  })

  it('merges Vary with a value from earlier middleware', async (t) => {
    const { send } = await serveOrders(t, { cors: ['https://pets.example'] }, [['Vary', 'Accept-Encoding']])
    const { headers } = await send({ target, headers: [authHeaders.zoo, ['Origin', 'https://pets.example']] })
    assert.equal(headers.get('vary'), 'Accept-Encoding, Origin')
    assert.equal(headers.get('access-control-allow-origin'), 'https://pets.example')
  })

  it('sends 100 Continue before it calls next', async (t) => {
    const { connect } = await serveOrders(t)
    const post = (...lines: readonly string[]) =>
      formatHead(`POST ${target} HTTP/1.1`, 'Host: x', 'Content-Length: 5', 'Expect: 100-continue', ...lines)
    const server = await connect()
    assert.equal((await server.ask(post(authHeaders.zoo.join(': ')))).status, 100)
    assert.equal((await server.ask('hello')).text, 'hello')
  })

  it('reports an error from writeHead', async (t) => {
    const causes: unknown[] = []
    const { send } = await serve(t, {
      service: { onError: (cause) => causes.push(cause) },
      listener: (_, pets) => (req, res) => {
        const { writeHead } = res
        let calls = 0
        res.writeHead = (...args: unknown[]) => {
          if (calls++ === 0) throw new Error('a broken writeHead')
          return writeHead.apply(res, args as never) // forwards the original arguments
        }
        requireKey(pets)(req, res, () => assert.fail('passed on'))
      },
    })
    const response = await send({ target })
    assert.equal(readCode(response), 'internal_error')
    assert.match(String(causes), /a broken writeHead/)
  })

  it('does not call next if a response was already sent', async (t) => {
    const { send } = await serve(t, {
      listener: (_, pets) => (req, res) => {
        requireKey(pets)(req, res, () => assert.fail('passed on'))
        res.end('too early')
      },
    })
    assert.equal((await send({ target, headers: [authHeaders.zoo] })).text, 'too early')
  })

  it('throws if the service is missing', () => {
    const none = undefined as never // simulates an untyped caller
    assert.throws(() => requireKey(none), { name: 'TypeError', message: /createPetService/ })
  })
})

describe('callerOf', () => {
  it('throws if requireKey has not passed the request on', async (t) => {
    const { send } = await serve(t, {
      listener: () => (req: IncomingMessage, res) => {
        assert.throws(() => callerOf(req), { name: 'TypeError', message: /mount requireKey first/ })
        res.end('rejected')
      },
    })
    assert.equal((await send({ target })).text, 'rejected')
  })
})

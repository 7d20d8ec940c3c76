import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import { describe, it, type TestContext } from 'node:test'
import type { ServiceOptions } from '../../core/index.ts'
import { assertLawful, readCode } from '../testing/exchange.ts'
import { auth } from '../testing/mount-suite/open.ts'
import { serve } from '../testing/serve.ts'
import { head } from '../testing/wire.ts'
import { callerOf, requireKey } from './index.ts'

const target = '/orders'

/** Serves a route behind `requireKey`, which responds with its caller and its body. */
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

describe('requireKey of node:http', () => {
  it('passes a request with a valid key on', async (t) => {
    const { send } = await serveOrders(t)
    const { status, headers, text } = await send({ method: 'POST', target, headers: [auth.zoo], body: 'two' })
    assert.deepEqual([status, text], [200, 'two'])
    assert.equal(headers.get('x-ratelimit-remaining'), '99999')
    assert.equal(headers.get('cache-control'), 'no-store')
  })

  it('shares the limits of the service', async (t) => {
    const { send } = await serveOrders(t)
    const statuses: number[] = []
    for (const path of [target, '/v1/pets', target]) {
      const response = await send({ target: path, headers: [auth.small] })
      statuses.push(response.status)
      if (response.status === 429) assertLawful(response, 'GET')
    }
    assert.deepEqual(statuses, [200, 200, 429])
  })

  for (const [what, headers, code] of [
    ['no key', [], 'missing_api_key'],
    ['an unknown key', [auth.unknown], 'invalid_api_key'],
    ['two hosts', [auth.zoo, ['Host', 'a'], ['Host', 'b']], 'invalid_request'],
  ] as const) {
    it(`responds to ${what} itself`, async (t) => {
      const { send } = await serveOrders(t)
      const response = await send({ target, headers })
      assertLawful(response, 'GET')
      assert.equal(readCode(response), code)
    })
  }

  it('responds to a preflight itself', async (t) => {
    const { send } = await serveOrders(t, { cors: ['https://pets.example'] })
    const asks = [
      ['Origin', 'https://pets.example'],
      ['Access-Control-Request-Method', 'DELETE'],
    ] as const
    const { status, headers } = await send({ target, method: 'OPTIONS', headers: asks })
    assert.deepEqual([status, headers.get('access-control-allow-methods')], [204, 'DELETE'])
  })

  it('merges its headers with earlier ones', async (t) => {
    const { send } = await serveOrders(t, { cors: ['https://pets.example'] }, [['Vary', 'Accept-Encoding']])
    const { headers } = await send({ target, headers: [auth.zoo, ['Origin', 'https://pets.example']] })
    assert.equal(headers.get('vary'), 'Accept-Encoding, Origin')
    assert.equal(headers.get('access-control-allow-origin'), 'https://pets.example')
  })

  it('sends 100 Continue only after the key is checked', async (t) => {
    const { connect } = await serveOrders(t)
    const post = (...lines: readonly string[]) =>
      head(`POST ${target} HTTP/1.1`, 'Host: x', 'Content-Length: 5', 'Expect: 100-continue', ...lines)
    const server = await connect()
    assert.equal((await server.ask(post(auth.zoo.join(': ')))).status, 100)
    assert.equal((await server.ask('hello')).text, 'hello')
  })

  it('responds with a 500 if writeHead is broken, and reports it', async (t) => {
    const causes: unknown[] = []
    const { send } = await serve(t, {
      service: { onError: (cause) => causes.push(cause) },
      listener: (_, pets) => (req, res) => {
        const { writeHead } = res
        let calls = 0
        res.writeHead = (...args: unknown[]) => {
          if (calls++ === 0) throw new Error('a broken writeHead')
          return writeHead.apply(res, args as never) // whatever it was called with
        }
        requireKey(pets)(req, res, () => assert.fail('passed on'))
      },
    })
    const response = await send({ target })
    assert.equal(readCode(response), 'internal_error')
    assert.match(String(causes), /a broken writeHead/)
  })

  it('writes nothing if a response was sent meanwhile', async (t) => {
    const { send } = await serve(t, {
      listener: (_, pets) => (req, res) => {
        requireKey(pets)(req, res, () => assert.fail('passed on'))
        res.end('too early')
      },
    })
    assert.equal((await send({ target, headers: [auth.zoo] })).text, 'too early')
  })

  it('rejects a missing service', () => {
    const none = undefined as never // what an embedder without types may pass
    assert.throws(() => requireKey(none), { name: 'TypeError', message: /createPetService/ })
  })
})

describe('callerOf', () => {
  it('rejects a request that requireKey has not passed on', async (t) => {
    const { send } = await serve(t, {
      listener: () => (req: IncomingMessage, res) => {
        assert.throws(() => callerOf(req), { name: 'TypeError', message: /mount requireKey first/ })
        res.end('rejected')
      },
    })
    assert.equal((await send({ target })).text, 'rejected')
  })
})

import assert from 'node:assert/strict'
import { LimiterUnavailable, type PetStore, StoreUnavailable } from '../../../core/index.ts'
import { codeOf, json, type Mount, type Sent } from '../exchange.ts'
import { addition, auth, open } from './open.ts'
import type { Runner } from './runner.ts'

/** A request with every error, and then without each that the service reported: the order is that of the interface. */
const corrections: readonly (readonly [code: string, sent: Sent])[] = [
  [
    'expectation_failed',
    requestWith({ expect: '200-ok', key: 'unknown', path: '/nothing', method: 'PUT', type: 'text/plain' }),
  ],
  ['invalid_api_key', requestWith({ key: 'unknown', path: '/nothing', method: 'PUT', type: 'text/plain' })],
  ['rate_limit_exceeded', requestWith({ key: 'small', path: '/nothing', method: 'PUT', type: 'text/plain' })],
  ['route_not_found', requestWith({ path: '/nothing', method: 'PUT', type: 'text/plain' })],
  ['method_not_allowed', requestWith({ method: 'PUT', idempotencyKey: 'no key', type: 'text/plain' })],
  ['invalid_idempotency_key', requestWith({ idempotencyKey: 'no key', type: 'text/plain' })],
  ['unsupported_media_type', requestWith({ type: 'text/plain' })],
  ['body_too_large', requestWith({})],
  ['invalid_json', requestWith({ body: '{' })],
  ['invalid_pet', requestWith({ body: '{}' })],
]

interface Errors {
  readonly expect?: string
  readonly key?: keyof typeof auth
  readonly path?: string
  readonly method?: string
  readonly idempotencyKey?: string
  readonly type?: string
  readonly body?: string
}

function requestWith({
  expect,
  key = 'zoo',
  path = '/pets',
  method = 'POST',
  idempotencyKey,
  type = 'application/json',
  body,
}: Errors): Sent {
  return {
    method,
    target: `/v1${path}`,
    headers: [
      auth[key],
      ['Content-Type', type],
      ...(expect ? [['Expect', expect] as const] : []),
      ...(idempotencyKey ? [['Idempotency-Key', idempotencyKey] as const] : []),
    ],
    body: body ?? '{'.repeat(70_000),
  }
}

const methods: readonly (readonly [method: string, target: string, allow: string])[] = [
  ['PUT', '/v1/pets', 'GET, POST, HEAD'],
  ['DELETE', '/v1/pets', 'GET, POST, HEAD'],
  ['OPTIONS', '/v1/pets', 'GET, POST, HEAD'],
  ['PATCH', '/v1/pets/1', 'GET, HEAD'],
  ['POST', '/v1/pets/1', 'GET, HEAD'],
  ['PROPFIND', '/v1/pets/x', 'GET, HEAD'],
]

/** Section 7 of the interface: the errors. */
export function errorsSuite(mount: Mount, { describe, it }: Runner): void {
  describe('an error of a request', () => {
    it('is the first in the order HTTP, key, limit, path, method, Idempotency-Key, media type, size, body', async (t) => {
      const send = await open(t, mount)
      for (let i = 0; i < 2; i++) await send({ headers: [auth.small] })
      for (const [code, sent] of corrections) assert.equal(codeOf(await send(sent)), code)
    })

    for (const [method, target, allow] of methods) {
      it(`is a 405 to ${method} ${target}, which allows ${allow}`, async (t) => {
        const send = await open(t, mount)
        const response = await send({ method, target, headers: [auth.zoo] })
        assert.deepEqual([response.status, codeOf(response)], [405, 'method_not_allowed'])
        assert.equal(response.headers.get('allow'), allow)
      })
    }

    it('is sent to a HEAD without a body', async (t) => {
      const send = await open(t, mount)
      assert.equal((await send({ method: 'HEAD' })).status, 401)
      assert.equal((await send({ method: 'HEAD', target: '/v1/nothing', headers: [auth.zoo] })).status, 404)
    })

    it('of a key has a challenge, which names an error only to a client that sent a key', async (t) => {
      const send = await open(t, mount)
      const challenge = async (sent: Sent) => (await send(sent)).headers.get('www-authenticate')
      assert.equal(await challenge({}), 'Bearer realm="pet-adoption-service"')
      assert.equal(
        await challenge({ headers: [auth.unknown] }),
        'Bearer realm="pet-adoption-service", error="invalid_token"',
      )
    })

    it('names all invalid members or parameters in its message', async (t) => {
      const send = await open(t, mount)
      const body = json<{ message: string }>(
        await send(addition('{"name":5,"categoryId":"x","status":"lost"}')),
      )
      for (const name of ['name', 'categoryId', 'status']) assert.ok(body.message.includes(`"${name}"`))
      const query = json<{ message: string }>(
        await send({ target: '/v1/pets?limit=0&after=x', headers: [auth.zoo] }),
      )
      for (const name of ['limit', 'after']) assert.ok(query.message.includes(`"${name}"`))
    })
  })

  describe('the failure of a part of the service', () => {
    const requests: Readonly<Record<'list' | 'create' | 'get', Sent>> = {
      list: { headers: [auth.zoo] },
      create: addition('{"name":"Rex","categoryId":1}'),
      get: { target: '/v1/pets/1', headers: [auth.zoo] },
    }
    for (const [operation, sent] of Object.entries(requests)) {
      for (const when of ['at once', 'later'] as const) {
        it(`of a store to ${operation} ${when} is a 500, which does not show the cause`, async (t) => {
          const causes: unknown[] = []
          const cause = new Error('password=hunter2')
          const send = await open(t, mount, {
            store: failing(cause, when),
            onError: (reported) => causes.push(reported),
          })
          const response = await send(sent)
          assert.deepEqual([response.status, codeOf(response), causes], [500, 'internal_error', [cause]])
          assert.doesNotMatch(response.text, /hunter2/)
        })

        it(`of a store that is unavailable to ${operation} ${when} is a 503 with Retry-After`, async (t) => {
          const send = await open(t, mount, {
            store: failing(new StoreUnavailable('down', { retryAfterSeconds: 9 }), when),
          })
          const response = await send(sent)
          assert.deepEqual([response.status, codeOf(response)], [503, 'service_unavailable'])
          assert.equal(response.headers.get('retry-after'), '9')
        })
      }
    }

    it('of a limiter is a 503 with the numbers of a full limit', async (t) => {
      const fail = () => Promise.reject(new LimiterUnavailable('down'))
      const send = await open(t, mount, { limiter: { consume: fail, peek: fail } })
      assert.equal((await send()).status, 503)
      assert.equal((await send({ headers: [auth.zoo] })).headers.get('x-ratelimit-limit'), '100000')
    })

    it('of a key store is a 500, or a 503 where it is unavailable', async (t) => {
      const find = (token: string) =>
        token === 'zoo-key' ? Promise.reject(new Error('x')) : Promise.reject(new StoreUnavailable('x'))
      const send = await open(t, mount, { keys: { find } })
      assert.equal((await send({ headers: [auth.zoo] })).status, 500)
      assert.equal((await send({ headers: [auth.free] })).status, 503)
    })
  })
}

/** A store whose methods all fail. */
function failing(cause: unknown, when: 'at once' | 'later'): PetStore {
  const fail = (): Promise<never> => {
    if (when === 'later') return Promise.reject(cause)
    throw cause
  }
  return { create: fail, get: fail, list: fail }
}

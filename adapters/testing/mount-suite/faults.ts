import assert from 'node:assert/strict'
import { LimiterUnavailable, type PetStore, StoreUnavailable } from '../../../core/index.ts'
import { codeOf, json, type Mount, type Sent } from '../exchange.ts'
import { addition, auth, open } from './open.ts'
import type { Runner } from './runner.ts'

/** A request with every fault there is, mended one by one in the order in which they must be told. */
const mending: readonly (readonly [code: string, sent: Sent])[] = [
  [
    'expectation_failed',
    fault({ expect: '200-ok', key: 'unknown', path: '/nothing', method: 'PUT', type: 'text/plain' }),
  ],
  ['invalid_api_key', fault({ key: 'unknown', path: '/nothing', method: 'PUT', type: 'text/plain' })],
  ['rate_limit_exceeded', fault({ key: 'small', path: '/nothing', method: 'PUT', type: 'text/plain' })],
  ['route_not_found', fault({ path: '/nothing', method: 'PUT', type: 'text/plain' })],
  ['method_not_allowed', fault({ method: 'PUT', type: 'text/plain' })],
  ['unsupported_media_type', fault({ type: 'text/plain' })],
  ['body_too_large', fault({})],
  ['invalid_json', fault({ body: '{' })],
  ['invalid_pet', fault({ body: '{}' })],
]

interface Faults {
  readonly expect?: string
  readonly key?: keyof typeof auth
  readonly path?: string
  readonly method?: string
  readonly type?: string
  readonly body?: string
}

function fault({
  expect,
  key = 'zoo',
  path = '/pets',
  method = 'POST',
  type = 'application/json',
  body,
}: Faults): Sent {
  return {
    method,
    target: `/v1${path}`,
    headers: [auth[key], ['Content-Type', type], ...(expect ? [['Expect', expect] as const] : [])],
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

/** Section 7 of the interface: what goes wrong. */
export function faultsSuite(mount: Mount, { describe, it }: Runner): void {
  describe('the faults of a request', () => {
    it('are told in order: HTTP itself, key, limit, path, method, media type, size, body', async (t) => {
      const send = await open(t, mount)
      for (let i = 0; i < 2; i++) await send({ headers: [auth.small] })
      for (const [code, sent] of mending) assert.equal(codeOf(await send(sent)), code)
    })

    for (const [method, target, allow] of methods) {
      it(`are the method of ${method} ${target}, with those that it takes: ${allow}`, async (t) => {
        const send = await open(t, mount)
        const answer = await send({ method, target, headers: [auth.zoo] })
        assert.deepEqual([answer.status, codeOf(answer)], [405, 'method_not_allowed'])
        assert.equal(answer.headers.get('allow'), allow)
      })
    }

    it('are answered to a HEAD without a body', async (t) => {
      const send = await open(t, mount)
      assert.equal((await send({ method: 'HEAD' })).status, 401)
      assert.equal((await send({ method: 'HEAD', target: '/v1/nothing', headers: [auth.zoo] })).status, 404)
    })

    it('are, of a key, answered with a challenge that tells an error only to who sent one', async (t) => {
      const send = await open(t, mount)
      const challenge = async (sent: Sent) => (await send(sent)).headers.get('www-authenticate')
      assert.equal(await challenge({}), 'Bearer realm="pet-adoption-service"')
      assert.equal(
        await challenge({ headers: [auth.unknown] }),
        'Bearer realm="pet-adoption-service", error="invalid_token"',
      )
    })

    it('are all named in one message', async (t) => {
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

  describe('the failure of a part', () => {
    const requests: Readonly<Record<keyof PetStore, Sent>> = {
      list: { headers: [auth.zoo] },
      create: addition('{"name":"Rex","categoryId":1}'),
      get: { target: '/v1/pets/1', headers: [auth.zoo] },
    }
    for (const [operation, sent] of Object.entries(requests)) {
      for (const when of ['at once', 'later'] as const) {
        it(`of a store to ${operation} ${when} is a 500, which tells the caller nothing of the cause`, async (t) => {
          const causes: unknown[] = []
          const cause = new Error('password=hunter2')
          const send = await open(t, mount, {
            store: failing(cause, when),
            onError: (told) => causes.push(told),
          })
          const answer = await send(sent)
          assert.deepEqual([answer.status, codeOf(answer), causes], [500, 'internal_error', [cause]])
          assert.doesNotMatch(answer.text, /hunter2/)
        })

        it(`of a store that is not available to ${operation} ${when} is a 503 that says when to come back`, async (t) => {
          const send = await open(t, mount, {
            store: failing(new StoreUnavailable('down', { retryAfterSeconds: 9 }), when),
          })
          const answer = await send(sent)
          assert.deepEqual([answer.status, codeOf(answer)], [503, 'service_unavailable'])
          assert.equal(answer.headers.get('retry-after'), '9')
        })
      }
    }

    it('to decide limits is a 503 with numbers', async (t) => {
      const fail = () => Promise.reject(new LimiterUnavailable('down'))
      const send = await open(t, mount, { limiter: { consume: fail, peek: fail } })
      assert.equal((await send()).status, 503)
      assert.equal((await send({ headers: [auth.zoo] })).headers.get('x-ratelimit-limit'), '100000')
    })

    it('to look a key up is a 500 or a 503', async (t) => {
      const find = (token: string) =>
        token === 'zoo-key' ? Promise.reject(new Error('x')) : Promise.reject(new StoreUnavailable('x'))
      const send = await open(t, mount, { keys: { find } })
      assert.equal((await send({ headers: [auth.zoo] })).status, 500)
      assert.equal((await send({ headers: [auth.free] })).status, 503)
    })
  })
}

/** A store all of whose methods fail. */
function failing(cause: unknown, when: 'at once' | 'later'): PetStore {
  const fail = (): Promise<never> => {
    if (when === 'later') return Promise.reject(cause)
    throw cause
  }
  return { create: fail, get: fail, list: fail }
}

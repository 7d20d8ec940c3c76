import assert from 'node:assert/strict'
import { StoreUnavailable } from '../../../core/index.ts'
import { stubStore } from '../../../core/testing/stub-store.ts'
import type { Runner } from '../exchange.ts'
import { codeOf, type Mount, type Sent } from '../exchange.ts'
import { addition, auth, open } from './open.ts'

/** A request with every error, and then without each that the service reported: the order is that of the interface. */
const wrong = { path: '/nothing', method: 'PUT', type: 'text/plain' } as const
const corrections: readonly (readonly [code: string, sent: Sent])[] = [
  ['expectation_failed', requestWith({ ...wrong, expect: '200-ok', key: 'unknown' })],
  ['invalid_api_key', requestWith({ ...wrong, key: 'unknown' })],
  ['rate_limit_exceeded', requestWith({ ...wrong, key: 'small' })],
  ['route_not_found', requestWith(wrong)],
  ['method_not_allowed', requestWith({ method: 'PUT', idempotencyKey: 'no key', type: 'text/plain' })],
  ['invalid_idempotency_key', requestWith({ idempotencyKey: 'no key', type: 'text/plain' })],
  ['unsupported_media_type', requestWith({ type: 'text/plain' })],
  ['body_too_large', requestWith({})],
  ['invalid_json', requestWith({ body: '{' })],
  ['invalid_pet', requestWith({ body: '{}' })],
]

function requestWith({
  expect,
  key = 'zoo',
  path = '/pets',
  method = 'POST',
  idempotencyKey,
  type = 'application/json',
  body = '{'.repeat(70_000),
}: {
  readonly [part in 'expect' | 'path' | 'method' | 'idempotencyKey' | 'type' | 'body']?: string
} & { readonly key?: keyof typeof auth }): Sent {
  const headers: [string, string][] = [[...auth[key]], ['Content-Type', type]]
  if (expect) headers.push(['Expect', expect])
  if (idempotencyKey) headers.push(['Idempotency-Key', idempotencyKey])
  return { method, target: `/v1${path}`, headers, body }
}

const methods: readonly (readonly [method: string, target: string, allow: string])[] = [
  ['PUT', '/v1/pets', 'GET, POST, HEAD'],
  ['OPTIONS', '/v1/pets', 'GET, POST, HEAD'],
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
  })

  describe('the failure of a store', () => {
    for (const [cause, status] of [
      [new Error('password=hunter2'), 500],
      [new StoreUnavailable('hunter2', { retryAfterSeconds: 9 }), 503],
    ] as const) {
      it(`is a ${status}, which does not show the cause`, async (t) => {
        const fail = (): Promise<never> => Promise.reject(cause)
        const send = await open(t, mount, { store: stubStore({ create: fail, get: fail, list: fail }) })
        for (const sent of [{ headers: [auth.zoo] }, addition('{"name":"Rex","categoryId":1}')]) {
          const response = await send(sent)
          assert.deepEqual(
            [response.status, response.headers.get('retry-after')],
            [status, status === 503 ? '9' : undefined],
          )
          assert.doesNotMatch(response.text, /hunter2/)
        }
      })
    }
  })
}

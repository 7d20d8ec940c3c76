import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { assertFollowsEveryRule, key } from '../testing/rules.ts'
import { nodeWithTypeScript, serving } from '../testing/serving.ts'
import { handler } from './fetch.ts'

type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>

const authorization = { Authorization: `Bearer ${key}` }

/** Tests the route of a recipe, and that the operations of the service are there still. */
async function assertSharesLimits(origin: string, fetch: Fetch): Promise<void> {
  const ask = async (path: string, headers: Record<string, string>, method = 'GET') => {
    const response = await fetch(`${origin}${path}`, { method, headers })
    return { response, remaining: Number(response.headers.get('X-RateLimit-Remaining')) }
  }
  const orders = await ask('/v1/store/orders', authorization)
  assert.equal(orders.response.status, 200)
  assert.deepEqual(await orders.response.json(), [{ id: 1, by: 'shelter' }])
  assert.equal((await ask('/v1/pets', authorization)).remaining, orders.remaining - 1)
  const head = await ask('/v1/store/orders', authorization, 'HEAD')
  assert.deepEqual([head.response.status, head.remaining], [200, orders.remaining - 2])

  const anonymous = await ask('/v1/store/orders', {})
  assert.equal(anonymous.response.status, 401)
  assert.equal((await anonymous.response.json()).code, 'missing_api_key')
  assert.equal((await ask('/v1/pets', {})).remaining, anonymous.remaining - 1)
  assert.equal((await ask('/v1/store', authorization)).response.status, 404)
}

test('no recipe builds JSON from a template, which an id with a quote would break', () => {
  for (const file of ['node.ts', 'fetch.ts'])
    assert.doesNotMatch(readFileSync(new URL(file, import.meta.url), 'utf8'), /`[[{][^`]*\$\{/, file)
})

test('on node:http, a route of its own shares keys and limits with the service, which follows every rule', async (t) => {
  const { origin } = await serving(t, [...nodeWithTypeScript, 'adapters/examples/own-route/node.ts'])
  await assertSharesLimits(origin, fetch)
  await assertFollowsEveryRule(origin)
})

test('with Fetch, a route of its own shares keys and limits with the service, which follows every rule', async () => {
  const fetch: Fetch = (input, init) => handler(new Request(input, init))
  await assertSharesLimits('http://pets.test', fetch)
  await assertFollowsEveryRule('http://pets.test', { fetch })
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testWith } from '../../contracts/testing/part.ts'
import { deno } from '../testing/parts.ts'
import { assertFollowsEveryRule, fetchOf, key } from '../testing/rules.ts'
import { nodeWithTypeScript, onDeno, serving } from '../testing/serving.ts'
import { handler } from './fetch.ts'

const authorization = { Authorization: `Bearer ${key}` }

/** Tests the route of a recipe, and then the operations of the service. */
async function assertSharesLimits(origin: string, handle?: typeof fetch): Promise<void> {
  const ask = async (path: string, headers: Record<string, string>, method = 'GET') => {
    const response = await (handle ?? fetch)(`${origin}${path}`, { method, headers })
    return { response, remaining: Number(response.headers.get('X-RateLimit-Remaining')) }
  }
  const orders = await ask('/v1/store/orders', authorization)
  assert.deepEqual(await orders.response.json(), [{ id: 1, by: 'shelter' }])
  const head = await ask('/v1/store/orders', authorization, 'HEAD')
  assert.deepEqual([head.response.status, head.remaining], [200, orders.remaining - 1])
  assert.equal((await ask('/v1/pets', authorization)).remaining, orders.remaining - 2)
  const anonymous = await ask('/v1/store/orders', {})
  assert.equal((await anonymous.response.json()).code, 'missing_api_key')
  assert.equal((await ask('/v1/pets', {})).remaining, anonymous.remaining - 1)
  assert.equal((await ask('/v1/store', authorization)).response.status, 404)
  await assertFollowsEveryRule(origin, handle)
}

test('on node:http, a route of its own shares keys and limits with the service, which follows every rule', async (t) => {
  const { origin } = await serving(t, [...nodeWithTypeScript, 'adapters/examples/own-route/node.ts'])
  await assertSharesLimits(origin)
})

testWith(deno)('on Deno, so does one below a prefix', async (t, program) => {
  const { origin } = await serving(t, onDeno(program, 'deno/routes'))
  await assertSharesLimits(`${origin}/shelter`)
})

test('with Fetch, so does one in the same process', async () => {
  await assertSharesLimits('http://pets.test', fetchOf(handler))
})

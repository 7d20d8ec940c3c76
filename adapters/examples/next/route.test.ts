import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertFollowsEveryRule } from '../testing/rules.ts'
import * as routeModule from './app/v1/[[...path]]/route.ts'

type RouteHandler = (request: Request) => Promise<Response>

const handlers: Readonly<Record<string, RouteHandler>> = routeModule

/** Calls the export that is named for the request's method, as Next.js does. */
async function route(input: string | URL | Request, init?: RequestInit): Promise<Response> {
  const request = new Request(input, init)
  const handle = handlers[request.method]
  assert.ok(handle, `the route has no handler for ${request.method}`)
  return handle(request)
}

test('as a route handler of Next.js, the service follows every rule', async () => {
  await assertFollowsEveryRule('http://pets.test', { fetch: route })
})

test('the route handler of Next.js counts anonymous clients by the last address in X-Forwarded-For', async () => {
  const remaining = async (forwardedFor: string) => {
    const { headers } = await route('http://pets.test/v1/pets', {
      headers: { 'X-Forwarded-For': forwardedFor },
    })
    return headers.get('X-RateLimit-Remaining')
  }
  assert.equal(await remaining('203.0.113.9, 198.51.100.1'), '59')
  assert.equal(await remaining('203.0.113.8, 198.51.100.1'), '58')
  assert.equal(await remaining('198.51.100.2'), '59')
})

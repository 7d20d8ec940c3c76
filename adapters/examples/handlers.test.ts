import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as routeModule from './next/app/v1/[[...path]]/route.ts'
import { assertFollowsEveryRule, fetchOf } from './testing/rules.ts'

const handlers: Readonly<Record<string, (request: Request) => Promise<Response>>> = routeModule

/** Calls the export that is named after the request's method, as Next.js does. */
const fetch = fetchOf(async (request) => {
  const handle = handlers[request.method]
  assert.ok(handle, `the route has no handler for ${request.method}`)
  return handle(request)
})

describe('the route handler of Next.js', () => {
  it('follows every rule', () => assertFollowsEveryRule('http://pets.test', fetch))

  it('counts anonymous clients by the address that the proxy appends', async () => {
    const remaining = async (forwardedFor: string) => {
      const headers = { 'X-Forwarded-For': forwardedFor }
      return (await fetch('http://pets.test/v1/pets', { headers })).headers.get('X-RateLimit-Remaining')
    }
    assert.equal(await remaining('203.0.113.9, 198.51.100.1'), '59')
    assert.equal(await remaining('203.0.113.8, 198.51.100.1'), '58')
    assert.equal(await remaining('198.51.100.2'), '59')
  })
})

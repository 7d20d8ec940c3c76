import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { HttpEvent } from './lambda/events.ts'
import { handler } from './lambda/handler.ts'
import * as routeModule from './next/app/v1/[[...path]]/route.ts'
import { assertFollowsEveryRule, fetchOf } from './testing/rules.ts'

const handlers: Readonly<Record<string, (request: Request) => Promise<Response>>> = routeModule

const platforms: Readonly<Record<string, (request: Request) => Promise<Response>>> = {
  /** Calls the export that is named for the request's method. */
  async 'a route handler of Next.js'(request) {
    const handle = handlers[request.method]
    assert.ok(handle, `the route has no handler for ${request.method}`)
    return handle(request)
  },
  /** Calls the handler as a function URL does, which sees the last address. Bodies are in base64, as if binary. */
  async 'a function of AWS Lambda'(request) {
    const { pathname: rawPath, search, host } = new URL(request.url)
    const body = Buffer.from(await request.arrayBuffer())
    const sourceIp = request.headers.get('X-Forwarded-For')?.split(', ').at(-1) ?? '198.51.100.9'
    const event: HttpEvent = {
      rawPath,
      rawQueryString: search.slice(1),
      headers: { ...Object.fromEntries(request.headers), host },
      ...(body.length > 0 && { body: body.toString('base64') }),
      isBase64Encoded: true,
      requestContext: { http: { method: request.method, sourceIp } },
    }
    const { statusCode, headers, body: text } = await handler(event)
    return new Response(text === '' ? null : text, { status: statusCode, headers })
  },
}

for (const [name, handle] of Object.entries(platforms))
  test(`as ${name}, the service follows every rule, and counts anonymous clients by the address that the platform has seen`, async () => {
    const fetch = fetchOf(handle)
    await assertFollowsEveryRule('http://pets.test', fetch)
    const remaining = async (forwardedFor: string) => {
      const headers = { 'X-Forwarded-For': forwardedFor }
      return (await fetch('http://pets.test/v1/pets', { headers })).headers.get('X-RateLimit-Remaining')
    }
    assert.equal(await remaining('203.0.113.9, 198.51.100.1'), '59')
    assert.equal(await remaining('203.0.113.8, 198.51.100.1'), '58')
    assert.equal(await remaining('198.51.100.2'), '59')
  })

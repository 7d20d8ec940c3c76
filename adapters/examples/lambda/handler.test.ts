import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertFollowsEveryRule } from '../testing/rules.ts'
import type { HttpEvent } from './events.ts'
import { handler } from './handler.ts'

/** Calls the handler as a function URL of AWS Lambda does. Bodies are in base64, which binary ones are there. */
async function invoke(input: string | URL | Request, init?: RequestInit): Promise<Response> {
  const request = new Request(input, init)
  const { pathname: rawPath, search, host } = new URL(request.url)
  const body = Buffer.from(await request.arrayBuffer())
  const event: HttpEvent = {
    rawPath,
    rawQueryString: search.slice(1),
    headers: { ...Object.fromEntries(request.headers), host },
    ...(body.length > 0 && { body: body.toString('base64') }),
    isBase64Encoded: true,
    requestContext: { http: { method: request.method, sourceIp: '198.51.100.1' } },
  }
  const { statusCode, headers, body: text } = await handler(event)
  return new Response(text === '' ? null : text, { status: statusCode, headers })
}

test('as a function of AWS Lambda, the service follows every rule', async () => {
  await assertFollowsEveryRule('http://pets.test', { fetch: invoke })
})

test('the function counts anonymous clients by the address that AWS has seen', async () => {
  const { headers } = await invoke('http://pets.test/v1/pets', {
    headers: { 'X-Forwarded-For': '203.0.113.9' },
  })
  const again = await invoke('http://pets.test/v1/pets', { headers: { 'X-Forwarded-For': '203.0.113.8' } })
  const remaining = [headers, again.headers].map((found) => Number(found.get('X-RateLimit-Remaining')))
  assert.equal(remaining[1], Number(remaining[0]) - 1)
})

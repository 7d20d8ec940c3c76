import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { apiKey, assertFollowsEveryRule } from './rules.ts'

const authorization = { Authorization: `Bearer ${apiKey}` }

/** Requests whose URL is invalid. Without a Host header, Bun has only the path. */
const invalidTargets = [
  'GET /v1/pets HTTP/1.0',
  'GET /v1/pets HTTP/1.1',
  'GET /v1/pets HTTP/1.1\r\nHost: [',
  'GET /v1/pets HTTP/1.1\r\nHost: a:99999',
  'GET http://[/v1/pets HTTP/1.1\r\nHost: a',
  'GET // HTTP/1.1\r\nHost: a',
  'OPTIONS * HTTP/1.1\r\nHost: a',
]

/** Asserts that an app's `/orders` route and the interface share API keys and rate limits. */
export async function assertSharesLimits(origin: string): Promise<void> {
  const send = async (path: string, headers: Record<string, string>) => {
    const response = await fetch(`${origin}${path}`, { headers })
    const body = await response.json()
    return { status: response.status, body, remaining: Number(response.headers.get('X-RateLimit-Remaining')) }
  }
  const orders = await send('/orders', authorization)
  assert.deepEqual(orders.body, [{ id: 1, by: 'shelter' }])
  assert.equal((await send('/v1/pets', authorization)).remaining, orders.remaining - 1)
  const anonymous = await send('/orders', {})
  assert.deepEqual([anonymous.status, anonymous.body.code], [401, 'missing_api_key'])
  assert.equal((await send('/v1/pets', {})).remaining, anonymous.remaining - 1)
}

/**
 * Asserts that each invalid target gets a response without a server error. `isSkipped` excludes targets that a platform
 * itself cannot handle.
 */
export async function assertHandlesInvalidTargets(
  origin: string,
  isSkipped: (lines: string) => boolean = () => false,
): Promise<void> {
  for (const lines of invalidTargets.filter((lines) => !isSkipped(lines))) {
    const socket = connect(Number(new URL(origin).port), '127.0.0.1')
    socket.write(`${lines}\r\nConnection: close\r\n\r\n`)
    const [response] = await once(socket, 'data')
    socket.destroy()
    assert.match(String(response), /^HTTP\/1\.\d [24]/, lines)
  }
}

/** Asserts that an app serves its own page. */
export async function assertServesPage(origin: string): Promise<void> {
  const page = await fetch(origin)
  assert.equal(page.status, 200)
  assert.match(await page.text(), /The shelter is open\./)
}

/** Asserts that an app serves its own routes next to the interface, which follows every rule. */
export async function assertServesApp(origin: string): Promise<void> {
  await assertServesPage(origin)
  await assertHandlesInvalidTargets(origin)
  await assertSharesLimits(origin)
  await assertFollowsEveryRule(origin)
}

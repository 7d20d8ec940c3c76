import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { PetService, ServiceOptions } from '../../core/index.ts'
import { testService } from '../testing/mount-suite/open.ts'
import { createFetchHandler } from './index.ts'

/** Mounts a service whose `handle` is replaced. Collects what `onError` receives. */
function mountBroken(broken: () => unknown, options: Partial<ServiceOptions> = {}) {
  const handle = broken as PetService['handle'] // whatever it returns
  const causes: unknown[] = []
  const service = testService({ ...options, onError: (cause) => causes.push(cause) })
  return { handler: createFetchHandler({ ...service, handle }), causes, service }
}

const list = new Request('http://pets.example/v1/pets')

/** Asserts that a response is a 500 that counts as one of the service. */
async function assertFailure(response: Response): Promise<void> {
  assert.equal(response.status, 500)
  const { code } = (await response.json()) as { code: string }
  assert.equal(code, 'internal_error')
  for (const name of ['limit', 'remaining', 'reset'])
    assert.match(response.headers.get(`x-ratelimit-${name}`) ?? '', /^\d+$/)
  assert.equal(response.headers.get('cache-control'), 'no-store')
}

describe('the Fetch mount of a service', () => {
  for (const [what, handle] of [
    ['throws', () => assert.fail('a broken service')],
    ['rejects', () => Promise.reject(new Error('a broken service'))],
    ['returns nothing', () => undefined as never],
    ['returns an invalid header', () => ({ status: 200, rawHeaders: ['X', 'a\r\nb'], body: '' })],
    ['returns an invalid status', () => ({ status: 99, rawHeaders: [], body: '' })],
    ['returns a body with a status that has none', () => ({ status: 204, rawHeaders: [], body: 'x' })],
  ] as const) {
    it(`that ${what} responds with a 500 and reports it`, async () => {
      const { handler, causes } = mountBroken(handle)
      await assertFailure(await handler(list, { remoteAddr: { hostname: '192.0.2.1' } }))
      assert.equal(causes.length, 1)
    })
  }

  it('keeps the numbers of a response that cannot be created', async () => {
    const numbers = ['X-RateLimit-Limit', '7', 'X-RateLimit-Remaining', '6', 'X-RateLimit-Reset', '5']
    const { handler } = mountBroken(() => ({ status: 200, rawHeaders: ['X', '\n\0', ...numbers], body: '' }))
    const response = await handler(list)
    await assertFailure(response)
    assert.equal(response.headers.get('x-ratelimit-limit'), '7')
  })

  it('replaces the numbers of a response if one is invalid', async () => {
    const numbers = ['X-RateLimit-Limit', '7', 'X-RateLimit-Remaining', 'many', 'X-RateLimit-Reset', '5']
    const { handler } = mountBroken(() => ({ status: 200, rawHeaders: ['X', '\n\0', ...numbers], body: '' }))
    await assertFailure(await handler(list))
  })
})

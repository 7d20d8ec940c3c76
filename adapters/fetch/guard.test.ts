import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { testService } from '../testing/mount-suite/open.ts'
import { createFetchHandler } from './index.ts'

/** Mounts a service whose responses have these headers, which no response can have. */
function mountBroken(...rawHeaders: readonly string[]) {
  const service = testService({ onError() {} })
  return createFetchHandler({ ...service, handle: async () => ({ status: 200, rawHeaders, body: '' }) })
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

describe('the Fetch mount', () => {
  it('keeps the numbers of a response that cannot be created', async () => {
    const numbers = ['X-RateLimit-Limit', '7', 'X-RateLimit-Remaining', '6', 'X-RateLimit-Reset', '5']
    const response = await mountBroken('X', '\n\0', ...numbers)(list)
    await assertFailure(response)
    assert.equal(response.headers.get('x-ratelimit-limit'), '7')
  })

  it('replaces the numbers of a response if one is invalid', async () => {
    const numbers = ['X-RateLimit-Limit', '7', 'X-RateLimit-Remaining', 'many', 'X-RateLimit-Reset', '5']
    await assertFailure(await mountBroken('X', '\n\0', ...numbers)(list))
  })
})

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createTestService } from '../testing/mount-suite/open-mount.ts'
import { createFetchHandler } from './index.ts'

/** Creates a handler whose service returns these headers. */
function mountBroken(...rawHeaders: readonly string[]) {
  const service = createTestService({ onError() {} })
  return createFetchHandler({ ...service, handle: async () => ({ status: 200, rawHeaders, body: '' }) })
}

const list = new Request('http://pets.example/v1/pets')

/** Asserts that a response is a 500 with rate limit headers. */
async function assertFailure(response: Response): Promise<void> {
  assert.equal(response.status, 500)
  const { code } = (await response.json()) as { code: string }
  assert.equal(code, 'internal_error')
  for (const name of ['limit', 'remaining', 'reset'])
    assert.match(response.headers.get(`x-ratelimit-${name}`) ?? '', /^\d+$/)
  assert.equal(response.headers.get('cache-control'), 'no-store')
}

describe('a response that the runtime rejects', () => {
  it('becomes a 500 with the same rate limit headers', async () => {
    const limitHeaders = ['X-RateLimit-Limit', '7', 'X-RateLimit-Remaining', '6', 'X-RateLimit-Reset', '5']
    const response = await mountBroken('X', '\n\0', ...limitHeaders)(list)
    await assertFailure(response)
    assert.equal(response.headers.get('x-ratelimit-limit'), '7')
  })

  it('becomes a 500 with new rate limit headers if they are invalid', async () => {
    const limitHeaders = ['X-RateLimit-Limit', '7', 'X-RateLimit-Remaining', 'many', 'X-RateLimit-Reset', '5']
    await assertFailure(await mountBroken('X', '\n\0', ...limitHeaders)(list))
  })
})

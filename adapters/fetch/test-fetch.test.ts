import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { authHeaders, createTestService } from '../testing/mount-suite/open-mount.ts'
import { createTestFetch } from './index.ts'

const url = 'http://pets.test/v1/pets'

describe('createTestFetch', () => {
  it('accepts the same arguments as fetch', async () => {
    const fetch = createTestFetch(createTestService())
    const headers = Object.fromEntries([authHeaders.zoo])
    for (const input of [url, new URL(url), new Request(url)])
      assert.equal((await fetch(input, { headers })).status, 200)
    const body = '{"name":"Rex","categoryId":7}'
    const init = { method: 'POST', headers: { ...headers, 'Content-Type': 'application/json' }, body }
    assert.equal((await fetch(url, init)).status, 201)
  })

  it('sends all requests from one client address', async () => {
    const service = createTestService()
    const readRemaining = async (address?: string) =>
      (await createTestFetch(service, address)(url)).headers.get('X-RateLimit-Remaining')
    assert.deepEqual(
      [await readRemaining(), await readRemaining(), await readRemaining('192.0.2.1')],
      ['59', '58', '59'],
    )
  })
})

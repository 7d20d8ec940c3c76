import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createKeyStore, createPetService, sha256 } from 'pet-adoption-service'
import { rateLimiterContract } from 'pet-adoption-service/contracts'
import { createFetchHandler } from 'pet-adoption-service/fetch'
import { assertFollowsEveryRule, fetchOf, key } from '../testing/rules.ts'
import { createStorageLimiter } from './limiter.ts'

rateLimiterContract({
  test,
  create: (setup) => createStorageLimiter(new Map<string, string>(), setup),
})

function serviceOn(storage: Map<string, string>): typeof globalThis.fetch {
  const keys = createKeyStore([{ id: 'shelter', sha256: sha256(key), plan: 'pro' }])
  return fetchOf(createFetchHandler(createPetService({ keys, limiter: createStorageLimiter(storage) })))
}

test('with this limiter, the service follows every rule', async () => {
  await assertFollowsEveryRule('http://pets.test', serviceOn(new Map()))
})

test('a limiter on a storage continues to count after a restart', async () => {
  const storage = new Map<string, string>()
  const remaining = async () => {
    const response = await serviceOn(storage)('http://pets.test/v1/pets')
    return response.headers.get('X-RateLimit-Remaining')
  }
  assert.deepEqual([await remaining(), await remaining()], ['59', '58'])
})

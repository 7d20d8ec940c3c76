import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import { createKeyStore, createPetService, sha256 } from 'pet-adoption-service'
import { createFetchHandler } from 'pet-adoption-service/fetch'

const keys = createKeyStore([{ id: 'shelter', sha256: sha256('my-first-long-api-key'), plan: 'pro' }])

test('after a minute the limit is there again', async () => {
  mock.timers.enable({ apis: ['Date'], now: Date.now() })
  const pets = createFetchHandler(createPetService({ keys, plans: { pro: { minute: 1, day: 10 } } }))
  const headers = { Authorization: 'Bearer my-first-long-api-key' }
  const list = () => pets(new Request('http://localhost/v1/pets', { headers }))
  assert.equal((await list()).status, 200)
  assert.equal((await list()).status, 429)
  mock.timers.setTime(Date.now() + 60_000)
  assert.equal((await list()).status, 200)
  mock.timers.reset()
})

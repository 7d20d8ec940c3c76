import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import { createKeyStore, createPetService, sha256 } from 'pet-adoption-service'
import { createPetClient } from 'pet-adoption-service/client'
import { createTestFetch } from 'pet-adoption-service/fetch'

const [baseUrl, apiKey] = ['http://pets.test/v1', 'my-first-long-api-key']
const keys = createKeyStore([{ id: 'shelter', sha256: sha256(apiKey), plan: 'pro' }])

test('the rate limit resets after a minute', async () => {
  mock.timers.enable({ apis: ['Date'], now: Date.now() })
  const fetch = createTestFetch(createPetService({ keys, plans: { pro: { minute: 1, day: 10 } } }))
  const rex = await createPetClient({ baseUrl, apiKey, fetch }).create({ name: 'Rex', categoryId: 7n })
  const list = () => fetch(`${baseUrl}/pets`, { headers: { Authorization: `Bearer ${apiKey}` } })
  assert.equal((await list()).status, 429)
  mock.timers.setTime(Date.now() + 60_000)
  assert.match(await (await list()).text(), new RegExp(`"id":${rex.id},`))
  mock.timers.reset()
})

import { expect, jest, test } from '@jest/globals'
import { createKeyStore, createPetService, sha256 } from 'pet-adoption-service'
import { createPetClient } from 'pet-adoption-service/client'
import { createTestFetch } from 'pet-adoption-service/fetch'

const [baseUrl, apiKey] = ['http://pets.test/v1', 'my-first-long-api-key']
const keys = createKeyStore([{ id: 'shelter', sha256: sha256(apiKey), plan: 'pro' }])

test('the rate limit resets after a minute', async () => {
  jest.useFakeTimers()
  const fetch = createTestFetch(createPetService({ keys, plans: { pro: { minute: 1, day: 10 } } }))
  const rex = await createPetClient({ baseUrl, apiKey, fetch }).create({ name: 'Rex', categoryId: 7n })
  const list = () => fetch(`${baseUrl}/pets`, { headers: { Authorization: `Bearer ${apiKey}` } })
  expect((await list()).status).toBe(429)
  jest.setSystemTime(Date.now() + 60_000)
  expect(await (await list()).text()).toContain(`"id":${rex.id},`)
  jest.useRealTimers()
})

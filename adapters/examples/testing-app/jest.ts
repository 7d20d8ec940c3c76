import { expect, jest, test } from '@jest/globals'
import { createKeyStore, createPetService, sha256 } from 'pet-adoption-service'
import { createFetchHandler } from 'pet-adoption-service/fetch'

const keys = createKeyStore([{ id: 'shelter', sha256: sha256('my-first-long-api-key'), plan: 'pro' }])

test('after a minute the limit is there again', async () => {
  jest.useFakeTimers()
  const pets = createFetchHandler(createPetService({ keys, plans: { pro: { minute: 1, day: 10 } } }))
  const headers = { Authorization: 'Bearer my-first-long-api-key' }
  const list = () => pets(new Request('http://localhost/v1/pets', { headers }))
  expect((await list()).status).toBe(200)
  expect((await list()).status).toBe(429)
  jest.setSystemTime(Date.now() + 60_000)
  expect((await list()).status).toBe(200)
  jest.useRealTimers()
})

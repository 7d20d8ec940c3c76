import { test } from 'node:test'
import {
  createKeyStore,
  createMemoryStore,
  createPetService,
  petStatuses,
  sha256,
} from 'pet-adoption-service'
import { defineTests } from 'pet-adoption-service/conformance'
import { createTestFetch } from 'pet-adoption-service/fetch'

const store = createMemoryStore()
for (const status of petStatuses) {
  for (let i = 0; i < 8; i++) store.create({ name: `Animal ${i}`, categoryId: 1n, status })
}
const keys = createKeyStore([{ id: 'suite', sha256: sha256('my-first-long-api-key'), plan: 'business' }])
const fetch = createTestFetch(createPetService({ keys, store }))

defineTests(test, {
  baseUrl: 'http://pets.test/v1',
  apiKey: 'my-first-long-api-key',
  profile: 'create',
  fetch,
})

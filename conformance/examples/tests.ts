import { test } from 'node:test'
import { defineTests } from 'pet-adoption-service/conformance'

defineTests(test, {
  baseUrl: process.env.BASE_URL ?? 'http://127.0.0.1:8080/v1',
  apiKey: process.env.PET_ADOPTION_API_KEY ?? '',
  knownFailures: [{ rule: 'GET-7', reason: 'clients still use getPet', until: '2031-06-01' }],
})

import { createPetClient } from 'pet-adoption-service/client'
import { expect, test } from 'vitest'

test('the client works in jsdom, and sends a creation once', async () => {
  expect(document.title).toBe('')
  let requests = 0
  const fetch = async () => {
    requests++
    return new Response('{"id":1,"name":"Rex","categoryId":7}', { status: 201 })
  }
  const pets = createPetClient({ baseUrl: 'http://pets.test/v1', apiKey: 'my-first-long-api-key', fetch })
  const pet = await pets.create({ name: 'Rex', categoryId: 7 }, { signal: new AbortController().signal })
  expect([pet.id, requests]).toEqual([1n, 1])
})

import { createPetClient, toJson } from 'pet-adoption-service/client'

globalThis.pets = createPetClient({
  baseUrl: 'http://pets.test/v1',
  apiKey: 'my-first-long-api-key',
  fetch: globalThis.respond,
})
globalThis.pets.create({ name: 'Rex', categoryId: 7 }).then((pet) => globalThis.done(toJson(pet)))

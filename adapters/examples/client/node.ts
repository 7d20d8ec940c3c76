import { createPetClient, toJson } from 'pet-adoption-service/client'

const { PET_ADOPTION_URL: baseUrl = 'http://127.0.0.1:8080/v1', PET_ADOPTION_API_KEY: apiKey = '' } =
  process.env

const pets = createPetClient({ baseUrl, apiKey })
for await (const pet of pets.list({ status: 'available' })) console.log(pet.id, pet.name)
const rex = await pets.create({ name: 'Rex', categoryId: 7n })
console.log(toJson(rex)) // JSON.stringify cannot serialize bigint values

import { createPetClient, toJson } from 'pet-adoption-service/client'

const pets = createPetClient({ baseUrl: 'http://127.0.0.1:8080/v1', apiKey: 'my-first-long-api-key' })
for await (const pet of pets.list({ status: 'available' })) console.log(pet.id, pet.name)
console.log(toJson(await pets.create({ name: 'Rex', categoryId: 7n })))

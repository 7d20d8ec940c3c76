import { createPetClient } from 'pet-adoption-service/client'

const baseUrl = Deno.env.get('PET_ADOPTION_URL') ?? 'http://127.0.0.1:8080/v1'
const apiKey = Deno.env.get('PET_ADOPTION_API_KEY') ?? ''

const pets = createPetClient({ baseUrl, apiKey })
for await (const pet of pets.list({ status: 'available' })) console.log(pet.id, pet.name)
const rex = await pets.create({ name: 'Rex', categoryId: 7n })
console.log(rex.id, rex.name)

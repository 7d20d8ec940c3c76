import { createPetClient, PetApiError } from 'pet-adoption-service/client'

const { PET_ADOPTION_URL: baseUrl = 'http://127.0.0.1:8080/v1', PET_ADOPTION_API_KEY: apiKey = '' } =
  process.env
const pets = createPetClient({ baseUrl, apiKey })

try {
  await pets.create({ name: 'Rex', categoryId: 7n })
} catch (error) {
  // If no response arrives, fetch rejects with a TypeError or a TimeoutError.
  if (!(error instanceof PetApiError)) throw error
  console.error(`${error.status} ${error.code}: ${error.message} (request ${error.requestId})`)
}

import { createPetClient, PetApiError } from 'pet-adoption-service/client'

interface Environment {
  readonly PET_ADOPTION_URL: string
  readonly PET_ADOPTION_API_KEY: string
}

/** A page with the names of a few animals, for a Worker or any other handler of Fetch. */
export async function showAnimals({
  PET_ADOPTION_URL: baseUrl,
  PET_ADOPTION_API_KEY: apiKey,
}: Environment): Promise<Response> {
  const pets = createPetClient({ baseUrl, apiKey, maxWaitMs: 2_000 })
  try {
    const { pets: animals } = await pets.list({ status: 'available', limit: 5 }).page()
    return new Response(animals.map(({ name }) => name).join('\n'))
  } catch (error) {
    if (!(error instanceof PetApiError)) throw error
    return new Response(`Try again later: ${error.code}`, { status: 503 })
  }
}

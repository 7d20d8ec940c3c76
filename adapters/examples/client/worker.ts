import { createPetClient, PetApiError, type PetClient, toJson } from 'pet-adoption-service/client'

interface Environment {
  readonly PET_ADOPTION_URL: string
  readonly PET_ADOPTION_API_KEY: string
}

/** One client per API key. All requests of an isolate share it, and wait for the same rate limit. */
const clients = new Map<string, PetClient>()

function getClient({ PET_ADOPTION_URL: baseUrl, PET_ADOPTION_API_KEY: apiKey }: Environment): PetClient {
  const client = clients.get(apiKey) ?? createPetClient({ baseUrl, apiKey, maxWaitMs: 2_000 })
  clients.set(apiKey, client)
  return client
}

/** Responds with five available animals, in a Worker, a server component or any other Fetch handler. */
export async function showAnimals(environment: Environment): Promise<Response> {
  try {
    const { pets } = await getClient(environment).list({ status: 'available', limit: 5 }).page()
    return new Response(toJson(pets), { headers: { 'Content-Type': 'application/json' } })
  } catch (error) {
    if (!(error instanceof PetApiError)) throw error
    return new Response(`Try again later: ${error.code}`, { status: 503 })
  }
}

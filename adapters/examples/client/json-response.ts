import type { IncomingMessage, ServerResponse } from 'node:http'
import { createPetClient, toJson } from 'pet-adoption-service/client'

const { PET_ADOPTION_URL: baseUrl = 'http://127.0.0.1:8080/v1', PET_ADOPTION_API_KEY: apiKey = '' } =
  process.env
const pets = createPetClient({ baseUrl, apiKey })

/** Responds with five animals, in Node, Express or Connect. `res.json(animals)` would throw. */
export async function sendAnimals(_req: IncomingMessage, res: ServerResponse): Promise<void> {
  const { pets: animals } = await pets.list({ limit: 5 }).page()
  res.setHeader('Content-Type', 'application/json')
  res.end(toJson(animals))
}

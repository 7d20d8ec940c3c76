import { createPetClient } from 'pet-adoption-service/client'

const { PET_ADOPTION_URL: baseUrl, PET_ADOPTION_API_KEY: apiKey } = process.env

/** The client of all requests. */
export const pets = createPetClient({ baseUrl, apiKey })

import type { Creation } from './creations.ts'
import { pages, petsById } from './pages.ts'
import { type Pet, petOf } from './pets.ts'
import { isSuccess, jsonOf, responsesTo } from './responses.ts'
import type { Exchange, Transcript } from './transcript.ts'

/** A new animal in a later response. */
export interface Sighting {
  readonly exchange: Exchange
  readonly pet: Pet
}

/** What later responses show of a new animal, in their order: pages, and getPet. */
export interface Sightings {
  readonly onPages: readonly Sighting[]
  readonly byGetPet: readonly Sighting[]
}

/** Returns where later responses show a new animal. */
export function sightingsOf(transcript: Transcript, { exchange, pet }: Creation): Sightings {
  const start = transcript.exchanges.indexOf(exchange)
  const later = new Set(transcript.exchanges.slice(start + 1))
  const onPages = pages(transcript).flatMap((page) => {
    const found = pet !== undefined && later.has(page.exchange) ? petsById(page).get(pet.id) : undefined
    return found === undefined ? [] : [{ exchange: page.exchange, pet: found }]
  })
  const byGetPet = responsesTo(transcript, 'key').flatMap(({ exchange, response }) => {
    const isGet = exchange.request.method === 'GET' && exchange.request.target === `/pets/${pet?.id}`
    const found =
      isGet && later.has(exchange) && isSuccess(response.status) ? petOf(jsonOf(response)) : undefined
    return found === undefined || found.id !== pet?.id ? [] : [{ exchange, pet: found }]
  })
  return { onPages, byGetPet }
}

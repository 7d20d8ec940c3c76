import type { Creation } from './creations.ts'
import { once } from './once.ts'
import { pages, petsById } from './pages.ts'
import { type Pet, petOf } from './pets.ts'
import { isSuccess, jsonOf, placeOf, responsesTo } from './responses.ts'
import type { Exchange, Transcript } from './transcript.ts'

/** A new animal in a later response. */
export interface Sighting {
  readonly exchange: Exchange
  readonly pet: Pet
}

/** What the last two responses of each kind show of a new animal, in their order: pages, and getPet. */
export interface Sightings {
  readonly onPages: readonly Sighting[]
  readonly byGetPet: readonly Sighting[]
}

/** Every animal in the responses of a run, by its id. */
const sightings: (transcript: Transcript) => ReadonlyMap<bigint, Shown> = once((transcript) => {
  const byId = new Map<bigint, Shown>()
  const shown = (id: bigint): Shown => {
    const known = byId.get(id) ?? { onPages: [], byGetPet: [] }
    byId.set(id, known)
    return known
  }
  for (const page of pages(transcript)) {
    for (const [id, pet] of petsById(page)) shown(id).onPages.push({ exchange: page.exchange, pet })
  }
  for (const { exchange, response } of responsesTo(transcript, 'key')) {
    const { method, target } = exchange.request
    if (method !== 'GET' || !target.startsWith('/pets/') || !isSuccess(response.status)) continue
    const pet = petOf(jsonOf(response))
    if (pet !== undefined && target === `/pets/${pet.id}`) shown(pet.id).byGetPet.push({ exchange, pet })
  }
  return byId
})

type Shown = { readonly [Kind in keyof Sightings]: Sighting[] }

/** Returns where later responses show a new animal: the last two of each kind, as a difference counts if two show it. */
export function sightingsOf(transcript: Transcript, { exchange, pet }: Creation): Sightings {
  const { onPages, byGetPet } = (pet && sightings(transcript).get(pet.id)) ?? { onPages: [], byGetPet: [] }
  const place = placeOf(transcript, exchange)
  const isLater = (sighting: Sighting): boolean => placeOf(transcript, sighting.exchange) > place
  return { onPages: onPages.slice(-2).filter(isLater), byGetPet: byGetPet.slice(-2).filter(isLater) }
}

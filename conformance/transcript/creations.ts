import { stepOf } from '../steps/phases.ts'
import { isObject, type Json } from './json.ts'
import { readJson } from './json-reader.ts'
import { once } from './once.ts'
import { isComplete, type Page, pages, petsById } from './pages.ts'
import { isPetStatus, isSameName, type Pet, petOf } from './pets.ts'
import { isSuccess, jsonOf, placeOf, type RecordedResponse, responses, responsesTo } from './responses.ts'
import type { Exchange, Transcript } from './transcript.ts'

/** A creation that was accepted, with or without a valid key. */
export interface Creation extends RecordedResponse {
  /** The animal in the response; `undefined` if the body is not a Pet. */
  readonly pet: Pet | undefined
}

/** After so many accepted invalid bodies, a run sends no more of them. */
export const mostAcceptedInvalid = 12

/** Whether the exchange with an id sends ordinary values, which differ in the status and the end of the name. */
export function isOrdinary(id: string): boolean {
  return stepOf(id)?.isOrdinary === true
}

/** Whether the exchange with an id repeats a creation with its `Idempotency-Key`, and may return its animal. */
export function isRepetition(id: string): boolean {
  return stepOf(id)?.repeats !== undefined
}

/** Returns the accepted creations, in the order in which they were sent. A repetition that adds no animal is none. */
export const creations: (transcript: Transcript) => readonly Creation[] = once((transcript) => {
  const all = responses(transcript)
    .filter(({ exchange, response }) => isPost(exchange) && isSuccess(response.status))
    .map((recorded) => ({ ...recorded, pet: petOf(jsonOf(recorded.response)) }))
  const byId = new Map(all.map((creation) => [creation.id, creation]))
  return all.filter(({ id, pet }) => {
    const first = byId.get(stepOf(id)?.repeats ?? '')
    return !isRepetition(id) || first?.pet?.id !== pet?.id
  })
})

/** Returns the name in the body of a creation, also in one that is not JSON; `undefined` if there is none. */
export function nameSent({ request }: Exchange): string | undefined {
  const body = readJson(request.body ?? '')
  const name = isObject(body) ? body.get('name') : /"name":"([^"\\]*)"/.exec(request.body ?? '')?.[1]
  return typeof name === 'string' ? name : undefined
}

/** Returns a member of the body of a creation; `undefined` if the body is not a JSON object or lacks the member. */
export function memberSent({ request }: Exchange, name: string): Json | undefined {
  const body = readJson(request.body ?? '')
  return isObject(body) ? body.get(name) : undefined
}

/** Whether an animal has the name and the category that a creation sent. */
export function isAsSent(
  exchange: Exchange,
  { name, categoryId }: Pick<Pet, 'name' | 'categoryId'>,
): boolean {
  return isSameName(memberSent(exchange, 'name'), name) && memberSent(exchange, 'categoryId') === categoryId
}

/** Returns the accepted creations with the key and a valid body. */
export const validCreations: (transcript: Transcript) => readonly Creation[] = once((transcript) =>
  creations(transcript).filter(
    ({ id, exchange }) => exchange.credential === 'key' && !isInvalid(id) && !isRepetition(id),
  ),
)

/** Returns how many invalid bodies were accepted. */
export function acceptedInvalid(transcript: Transcript): number {
  return creations(transcript).filter(({ id }) => isInvalid(id)).length
}

/** Whether the exchange with an id sends an invalid body, or one that the interface leaves open. */
export function isInvalid(id: string): boolean {
  return stepOf(id)?.creates === 'invalid'
}

/** Whether an exchange is a creation, accepted or not. */
export function isPost({ request: { method, target } }: Exchange): boolean {
  return method === 'POST' && target === '/pets'
}

/** A new animal, and the last page of its status with `limit=100`. */
export interface Placing {
  readonly creation: Creation
  readonly exchange: Creation['exchange']
  readonly pet: Pet
  readonly page: Page
  /** The animal on the page; `undefined` on a complete page that lacks it. */
  readonly found: Pet | undefined
}

/** Returns where the filtered pages show the animals that were created before them, by the status in their 201. */
export function placings(transcript: Transcript): readonly Placing[] {
  const all = pages(transcript)
  const lastOf: ReadonlyMap<Json | undefined, Page> = new Map(
    all.filter(({ limit }) => limit === '100').map((page) => [page.status, page]),
  )
  return validCreations(transcript).flatMap((creation): readonly Placing[] => {
    const { pet, exchange } = creation
    if (pet === undefined || !isPetStatus(pet.status)) return []
    const page = lastOf.get(pet.status)
    if (page === undefined || placeOf(transcript, page.exchange) < placeOf(transcript, exchange)) return []
    const found = petsById(page).get(pet.id)
    return found !== undefined || isComplete(page, all) ? [{ creation, exchange, pet, page, found }] : []
  })
}

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

/** Returns where the last two later responses of each kind show a new animal: a difference counts if both do. */
export function sightingsOf(transcript: Transcript, { exchange, pet }: Creation): Sightings {
  const { onPages, byGetPet } = (pet && sightings(transcript).get(pet.id)) ?? { onPages: [], byGetPet: [] }
  const place = placeOf(transcript, exchange)
  const isLater = (sighting: Sighting): boolean => placeOf(transcript, sighting.exchange) > place
  return { onPages: onPages.slice(-2).filter(isLater), byGetPet: byGetPet.slice(-2).filter(isLater) }
}

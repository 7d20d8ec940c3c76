import { findStep } from '../steps/phases.ts'
import { isObject, type Json } from './json.ts'
import { readJson } from './json-reader.ts'
import { memoize } from './memoize.ts'
import { appearances, isComplete, type Page, type PetInResponse, pages, petsById } from './pages.ts'
import { isPetStatus, isSameName, type Pet } from './pets.ts'
import {
  findPlace,
  isSuccess,
  listResponsesTo,
  type RecordedResponse,
  readMember,
  readPet,
  responses,
} from './responses.ts'
import type { Exchange, Transcript } from './transcript.ts'

/** A creation that was accepted, with or without a valid key. */
export interface Creation extends RecordedResponse {
  /** The animal in the response; `undefined` if the body is not a Pet. */
  readonly pet: Pet | undefined
}

/** Maximum number of accepted invalid bodies in a run. */
export const mostAcceptedInvalid = 12

/**
 * Returns whether the exchange with an id sends ordinary values, which differ in the status and the end of the name.
 */
export function isOrdinary(id: string): boolean {
  return findStep(id)?.isOrdinary === true
}

/** Returns whether the exchange with an id repeats a creation with its `Idempotency-Key`, and may return its animal. */
export function isRepetition(id: string): boolean {
  return findStep(id)?.repeats !== undefined
}

/** Returns the accepted POSTs in the order they were sent, without repetitions that added no animal. */
export const additions: (transcript: Transcript) => readonly RecordedResponse[] = memoize((transcript) => {
  const all = responses(transcript).filter(
    ({ exchange, response }) => exchange.request.method === 'POST' && isSuccess(response.status),
  )
  const animals = new Map(all.map((recorded) => [recorded.id, readMember(recorded, 'id')]))
  return all.filter(({ id }) => {
    const first = animals.get(findStep(id)?.repeats ?? '')
    return first === undefined || first !== animals.get(id)
  })
})

/** Returns the accepted creations in the order they were sent, without repetitions that added no animal. */
export const creations: (transcript: Transcript) => readonly Creation[] = memoize((transcript) =>
  additions(transcript)
    .filter(({ exchange }) => isPost(exchange))
    .map((recorded) => ({ ...recorded, pet: readPet(recorded.response) })),
)

/** Returns a member of the body of a creation; `undefined` if the body is not a JSON object or lacks the member. */
export function readSentMember({ request }: Exchange, name: string): Json | undefined {
  const body = readJson(request.body ?? '')
  return isObject(body) ? body.get(name) : undefined
}

/** Returns the name in the body of a creation, also if it is not JSON; `undefined` without a name. */
export function readSentName(exchange: Exchange): string | undefined {
  const [, text] = /"name":"([^"\\]*)"/.exec(exchange.request.body ?? '') ?? []
  const name = readSentMember(exchange, 'name') ?? text
  return typeof name === 'string' ? name : undefined
}

/** Returns whether an animal has the name and the category that a creation sent. */
export function isAsSent(exchange: Exchange, { name, categoryId }: Pet): boolean {
  return (
    isSameName(readSentMember(exchange, 'name'), name) &&
    readSentMember(exchange, 'categoryId') === categoryId
  )
}

/** Returns the accepted creations with the key and a valid body. */
export const validCreations: (transcript: Transcript) => readonly Creation[] = memoize((transcript) =>
  creations(transcript).filter(
    ({ id, exchange }) => exchange.credential === 'key' && !isInvalid(id) && !isRepetition(id),
  ),
)

/** Returns how many invalid bodies were accepted. */
export function acceptedInvalid(transcript: Transcript): number {
  return creations(transcript).filter(({ id }) => isInvalid(id)).length
}

/** Returns whether the exchange with an id sends an invalid body, or one that the interface leaves open. */
export function isInvalid(id: string): boolean {
  return findStep(id)?.creates === 'invalid'
}

/** Returns whether an exchange is a creation, accepted or not. */
export function isPost({ request: { method, target } }: Exchange): boolean {
  return method === 'POST' && target === '/pets'
}

/** A new animal, and the last page of one kind that must show it: of its status or without a filter, `limit=100`. */
export interface NewPetOnPage {
  readonly creation: Creation
  readonly exchange: Creation['exchange']
  readonly pet: Pet
  readonly page: Page
  /** The animal on the page; `undefined` on a complete page that lacks it. */
  readonly found: Pet | undefined
}

/**
 * Returns the places of the new animals on later pages, by the status in their 201, and the complete pages that lack
 * them.
 */
export function findOnPages(transcript: Transcript): readonly NewPetOnPage[] {
  const all = pages(transcript)
  const lastOf: ReadonlyMap<Json | undefined, Page> = new Map(
    all.filter(({ limit }) => limit === '100').map((page) => [page.status, page]),
  )
  return validCreations(transcript).flatMap((creation): readonly NewPetOnPage[] => {
    const { pet, exchange } = creation
    if (pet === undefined) return []
    const statuses = isPetStatus(pet.status) ? [pet.status, undefined] : [undefined]
    return statuses.flatMap((status): readonly NewPetOnPage[] => {
      const page = lastOf.get(status)
      if (page === undefined || findPlace(transcript, page.exchange) < findPlace(transcript, exchange))
        return []
      const found = petsById(page).get(pet.id)
      return found !== undefined || isComplete(page, all) ? [{ creation, exchange, pet, page, found }] : []
    })
  })
}

/** The last two successes of getPet for each animal, by its id. */
const byGetPet: (transcript: Transcript) => ReadonlyMap<bigint, readonly PetInResponse[]> = memoize(
  (transcript) => {
    const found = new Map<bigint, readonly PetInResponse[]>()
    for (const { exchange, response } of listResponsesTo(transcript, 'key')) {
      const { method, target } = exchange.request
      const pet = method === 'GET' ? readPet(response) : undefined
      if (pet === undefined || target !== `/pets/${pet.id}`) continue
      found.set(pet.id, [...(found.get(pet.id) ?? []).slice(-1), { exchange, pet }])
    }
    return found
  },
)

/** Returns where the last two later responses of each kind show a new animal: a difference counts if both do. */
export function findLater(
  transcript: Transcript,
  { exchange: created, pet }: Creation,
): { readonly onPages: readonly PetInResponse[]; readonly byGetPet: readonly PetInResponse[] } {
  const lastTwo = (all: ReadonlyMap<bigint, readonly PetInResponse[]>): readonly PetInResponse[] =>
    ((pet && all.get(pet.id)) ?? [])
      .slice(-2)
      .filter(({ exchange }) => findPlace(transcript, exchange) > findPlace(transcript, created))
  return { onPages: lastTwo(appearances(transcript)), byGetPet: lastTwo(byGetPet(transcript)) }
}

import { findStep } from '../steps/phases.ts'
import { isObject, type Json } from './json.ts'
import { readJson } from './json-reader.ts'
import { memoize } from './memoize.ts'
import { getPetsById, isComplete, type Page, parsePages } from './pages.ts'
import { isPetStatus, isSameName, type Pet } from './pets.ts'
import {
  indexOfExchange,
  isSuccess,
  listResponses,
  listResponsesFor,
  type RecordedResponse,
  readMember,
  readPet,
} from './responses.ts'
import type { Exchange, Transcript } from './transcript.ts'

/** A successful response to `POST /pets`. */
export interface Creation extends RecordedResponse {
  /** The pet in the response body, or `undefined` if the body is not a pet. */
  readonly pet: Pet | undefined
}

/** A run sends no more invalid pets after a server has accepted this many of them. */
export const maxAcceptedInvalid = 12

export function isOrdinaryStep(id: string): boolean {
  return findStep(id)?.isOrdinary === true
}

/** Checks whether the step sends another step's request again, with the same `Idempotency-Key`. */
export function isRepeatStep(id: string): boolean {
  return findStep(id)?.repeats !== undefined
}

/**
 * Lists the successful responses to a POST, to any path. A repeated request that returned the original animal is left
 * out.
 */
export const listCreatingResponses: (transcript: Transcript) => readonly RecordedResponse[] = memoize(
  (transcript) => {
    const creatingResponses = listResponses(transcript).filter(
      ({ exchange, response }) => exchange.request.method === 'POST' && isSuccess(response.status),
    )
    const animals = new Map(creatingResponses.map((recorded) => [recorded.id, readMember(recorded, 'id')]))
    return creatingResponses.filter(({ id }) => {
      const firstCreation = animals.get(findStep(id)?.repeats ?? '')
      return firstCreation === undefined || firstCreation !== animals.get(id)
    })
  },
)

/** Lists the successful responses to `POST /pets`. */
export const listCreations: (transcript: Transcript) => readonly Creation[] = memoize((transcript) =>
  listCreatingResponses(transcript)
    .filter(({ exchange }) => isCreatePet(exchange))
    .map((recorded) => ({ ...recorded, pet: readPet(recorded.response) })),
)

const parseSentBody: (request: Exchange['request']) => Json | undefined = memoize(({ body }) =>
  readJson(body ?? ''),
)

/** Reads a member from the request's JSON body. */
export function readSentMember({ request }: Exchange, name: string): Json | undefined {
  const body = parseSentBody(request)
  return isObject(body) ? body.get(name) : undefined
}

/** Returns the name in a request body, even if the body is not valid JSON. */
export function readSentName(exchange: Exchange): string | undefined {
  const [, text] = /"name":"([^"\\]*)"/.exec(exchange.request.body ?? '') ?? []
  const name = readSentMember(exchange, 'name') ?? text
  return typeof name === 'string' ? name : undefined
}

/** Checks whether a pet has the name and category in the request. */
export function matchesRequest(exchange: Exchange, { name, categoryId }: Pet): boolean {
  return (
    isSameName(readSentMember(exchange, 'name'), name) &&
    readSentMember(exchange, 'categoryId') === categoryId
  )
}

/** Lists the creations with valid bodies and the main key. Repeated and parallel requests are left out. */
export const listValidCreations: (transcript: Transcript) => readonly Creation[] = memoize((transcript) =>
  listCreations(transcript).filter(
    ({ id, exchange }) =>
      exchange.credential === 'key' && isValidStep(id) && !isRepeatStep(id) && !isParallelStep(id),
  ),
)

/** Counts the creations whose request body was invalid, or left open by the interface. */
export function countAcceptedInvalid(transcript: Transcript): number {
  return listCreations(transcript).filter(({ id }) => !isValidStep(id)).length
}

function isValidStep(id: string): boolean {
  return (findStep(id)?.creates ?? 'valid') === 'valid'
}

export function isInvalidStep(id: string): boolean {
  return findStep(id)?.creates === 'invalid'
}

/** Checks whether the step's request is sent in parallel with others. */
export function isParallelStep(id: string): boolean {
  return findStep(id)?.group !== undefined
}

export function isCreatePet({ request: { method, target } }: Exchange): boolean {
  return method === 'POST' && target === '/pets'
}

/** A response that should show an animal, after its creation. */
interface ReadBack {
  readonly exchange: Exchange
  /** The animal in the response, or `undefined` if it is missing. */
  readonly found: Pet | undefined
}

/** A created animal, and two later responses that should show it. */
export interface CreationReadBacks {
  readonly creation: Creation & { readonly pet: Pet }
  /** The page in the first response. Absent for `GET /pets/{id}`. */
  readonly page?: Page
  readonly first: ReadBack
  /** The repeated request, which is only sent if the first response does not show the animal. */
  readonly second: ReadBack | undefined
}

/**
 * Looks for each created animal on two pages with `limit=100`: the page with its status, and the page without a filter.
 * Then looks for one animal with `GET /pets/{id}`.
 *
 * An animal is only missing from a complete page. On an incomplete page, it could be on the next one.
 */
export const listReadBacks: (transcript: Transcript) => readonly CreationReadBacks[] = memoize(
  (transcript) => {
    const created = listValidCreations(transcript).flatMap((creation) => {
      const { pet } = creation
      return pet === undefined ? [] : [{ ...creation, pet }]
    })
    const onPages = created.flatMap((creation) => {
      const { status } = creation.pet
      const pageIds = [...(isPetStatus(status) ? [`list-${status}-100`] : []), 'list-100-last']
      return pageIds.flatMap((id): readonly CreationReadBacks[] => {
        const first = findOnPage(transcript, id, creation)
        const second = findOnPage(transcript, `${id}-again`, creation)
        return first === undefined ? [] : [{ creation, page: first.page, first, second }]
      })
    })
    const creation = chooseCreationToGet(created)
    const [first, second] = listResponsesFor(transcript, 'key')
      .filter(({ id }) => id.startsWith('get-created'))
      .map(({ exchange, response }): ReadBack => {
        const pet = response.status === 200 ? readPet(response) : undefined
        return { exchange, found: pet?.id === creation?.pet.id ? pet : undefined }
      })
    return creation === undefined || first === undefined ? onPages : [...onPages, { creation, first, second }]
  },
)

/** Looks for an animal on a page. Returns `undefined` if the page is missing or proves nothing. */
function findOnPage(
  transcript: Transcript,
  id: string,
  { exchange, pet }: CreationReadBacks['creation'],
): (ReadBack & { readonly page: Page }) | undefined {
  const pages = parsePages(transcript)
  const page = pages.find((one) => one.id === id)
  if (page === undefined) return undefined
  if (indexOfExchange(transcript, page.exchange) < indexOfExchange(transcript, exchange)) return undefined
  const found = getPetsById(page).get(pet.id)
  return found !== undefined || isComplete(page, pages) ? { exchange: page.exchange, found, page } : undefined
}

/** Chooses the animal that is requested with `GET /pets/{id}`: the one with a large category id, or the first one. */
export function chooseCreationToGet<One extends Creation>(created: readonly One[]): One | undefined {
  return created.find(({ id }) => id === 'create-int64') ?? created[0]
}

/**
 * Lists exchanges that should show a created animal, but do not. If the 201 already differs from the request, later
 * responses may differ, too.
 */
export function listFailedReadBacks(transcript: Transcript): readonly string[] {
  return listReadBacks(transcript)
    .filter(
      ({ creation: { exchange, pet }, first: { found } }) =>
        found === undefined || (matchesRequest(exchange, pet) && !matchesRequest(exchange, found)),
    )
    .map(({ first }) => first.exchange.id)
}

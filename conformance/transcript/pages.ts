import type { Json } from './json.ts'
import { once } from './once.ts'
import { isAlike, type Pet, petOf } from './pets.ts'
import {
  header,
  isGateway,
  isRead,
  isSuccess,
  jsonOf,
  keyRejection,
  type RecordedResponse,
  responsesTo,
} from './responses.ts'
import type { Exchange, Transcript } from './transcript.ts'

/** A response of listPets, with the parameters of its request. */
export interface Listing extends RecordedResponse {
  /** `limit` and `status` in the query, as sent. */
  readonly limit: string | undefined
  readonly status: string | undefined
}

/** A page of animals that the key received. */
export interface Page extends Listing {
  readonly elements: readonly Json[]
  /** The elements that are Pets. */
  readonly pets: readonly Pet[]
}

/** Section 4.1's default of `limit`. */
export const defaultLimit = 20
/** Its maximum. */
export const maximumLimit = 100

/** Returns the responses of listPets to the key that can be judged. */
export function listResponses(transcript: Transcript): readonly RecordedResponse[] {
  if (keyRejection(transcript.exchanges)) return []
  return responsesTo(transcript, 'key').filter(
    ({ exchange: { request }, response: { status } }) =>
      isList(request) && !isGateway(status) && status !== 401 && status !== 429,
  )
}

/** Returns the successful responses of listPets to the key whose bodies can be read. */
export function servedLists(transcript: Transcript): readonly RecordedResponse[] {
  return listResponses(transcript).filter(
    (recorded) => isSuccess(recorded.response.status) && isRead(recorded),
  )
}

/** Returns the successful responses of listPets to the key whose bodies cannot be read. */
export function unreadLists(transcript: Transcript): readonly Listing[] {
  return listResponses(transcript)
    .filter((recorded) => isSuccess(recorded.response.status) && !isRead(recorded))
    .map(listingOf)
}

/** Returns the pages that the key received, in the order in which they were requested. */
export const pages: (transcript: Transcript) => readonly Page[] = once((transcript) =>
  servedLists(transcript).flatMap((recorded) => pageOf(recorded) ?? []),
)

const pageOf: (recorded: RecordedResponse) => Page | undefined = once((recorded) => {
  const elements = jsonOf(recorded.response)
  if (!Array.isArray(elements)) return undefined
  return {
    ...listingOf(recorded),
    elements,
    pets: elements.flatMap((element) => petOf(element) ?? []),
  }
})

function listingOf(recorded: RecordedResponse): Listing {
  const query = new URLSearchParams(recorded.exchange.request.target.split('?')[1])
  return { ...recorded, limit: query.get('limit') ?? undefined, status: query.get('status') ?? undefined }
}

/**
 * Whether a page must show every animal that its query selects: it is shorter than its `limit`, and links to no next page.
 * A server may have a lower maximum, with and without `limit`. So a page is also shorter than the longest page of its kind.
 */
export function isComplete(page: Page, all: readonly Page[]): boolean {
  const asked = Number(page.limit ?? defaultLimit)
  const hasLimit = page.limit !== undefined
  const longest = all
    .filter(({ limit }) => (limit !== undefined) === hasLimit)
    .reduce((most, { elements }) => Math.max(most, elements.length), 0)
  return page.elements.length < asked && page.elements.length < longest && !linksNext(page)
}

/** Whether a response links to a next page (RFC 8288). */
export function linksNext({ response }: RecordedResponse): boolean {
  const relations = (header(response, 'link') ?? '').matchAll(/;\s*rel\s*=\s*(?:"([^"]*)"|next\b)/gi)
  return [...relations].some(([, quoted]) => quoted === undefined || /\bnext\b/i.test(quoted))
}

/**
 * Returns the animals that did not change around an exchange, by id: an unfiltered page before the exchange and one
 * after it show the animal, and every page of the run that shows it shows it alike. Other clients may change animals
 * during the run.
 */
export function steadyAround(
  transcript: Transcript,
  around: Exchange,
  of: readonly Page[] = pages(transcript),
): ReadonlyMap<bigint, Pet> {
  const place = (exchange: Exchange): number => transcript.exchanges.indexOf(exchange)
  const unfiltered = of.filter(({ status }) => status === undefined)
  const before = unfiltered.filter(({ exchange }) => place(exchange) < place(around))
  const after = new Set(
    unfiltered
      .filter(({ exchange }) => place(exchange) > place(around))
      .flatMap(({ pets }) => pets.map(({ id }) => id)),
  )
  const changed = changedIn(transcript)
  return new Map(
    before
      .flatMap(({ pets }) => pets)
      .filter(({ id }) => after.has(id) && !changed.has(id))
      .map((pet) => [pet.id, pet]),
  )
}

/** Returns the ids of the animals on a page. */
export const idsOn: (page: Page) => ReadonlySet<bigint> = once(
  ({ pets }) => new Set(pets.map(({ id }) => id)),
)

/** Whether other clients remove animals during the run: a later complete page lacks an animal of an earlier page. */
export function othersRemove(transcript: Transcript): boolean {
  const all = pages(transcript)
  const unfiltered = all.filter(({ status }) => status === undefined)
  return unfiltered.some((later, n) => {
    if (!isComplete(later, all)) return false
    const ids = idsOn(later)
    return unfiltered.slice(0, n).some(({ pets }) => pets.some(({ id }) => !ids.has(id)))
  })
}

/** Returns the ids of the animals that two pages show differently. */
const changedIn: (transcript: Transcript) => ReadonlySet<bigint> = once((transcript) => {
  const seen = new Map<bigint, Pet>()
  const changed = new Set<bigint>()
  for (const pet of pages(transcript).flatMap(({ pets }) => pets)) {
    const other = seen.get(pet.id)
    if (other !== undefined && !isAlike(pet, other)) changed.add(pet.id)
    seen.set(pet.id, pet)
  }
  return changed
})

function isList({ method, target }: Exchange['request']): boolean {
  return method === 'GET' && /^\/pets(\?|$)/.test(target)
}

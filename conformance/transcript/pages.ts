import { isObject, type Json } from './json.ts'
import { memoize } from './memoize.ts'
import { isAlike, type Pet, parsePet } from './pets.ts'
import {
  findKeyRejection,
  findPlace,
  header,
  isGateway,
  isRead,
  isSuccess,
  parseBody,
  type RecordedResponse,
  responses,
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

/** Returns the responses of listPets to the key that can be judged. The scheme in another case need not be accepted. */
export const listResponses: (transcript: Transcript) => readonly RecordedResponse[] = memoize(
  (transcript) => {
    if (findKeyRejection(transcript.exchanges)) return []
    return responses(transcript).filter(
      ({ exchange: { credential, request }, response: { status } }) =>
        isList(request) &&
        !isGateway(status) &&
        (credential === 'key'
          ? status !== 401 && status !== 429
          : credential === 'key-other-case' && isSuccess(status)),
    )
  },
)

/** Returns the successful responses of listPets to the key. */
export const successfulLists: (transcript: Transcript) => readonly Listing[] = memoize((transcript) =>
  listResponses(transcript)
    .filter(({ response }) => isSuccess(response.status))
    .map(parseListing),
)

/** Returns the successful responses of listPets to the key whose bodies can be read. */
export const servedLists: (transcript: Transcript) => readonly Listing[] = memoize((transcript) =>
  successfulLists(transcript).filter(isRead),
)

/** Returns the pages that the key received, in the order of their requests. */
export const pages: (transcript: Transcript) => readonly Page[] = memoize((transcript) =>
  servedLists(transcript).flatMap((list) => parsePage(list) ?? []),
)

const parsePage: (list: Listing) => Page | undefined = memoize((list) => {
  const elements = parseBody(list.response)
  if (!Array.isArray(elements)) return undefined
  return {
    ...list,
    elements,
    // a hostile page has hundreds of thousands of other elements: flatMap would take an array for each
    pets: elements.map(parsePet).filter((pet) => pet !== undefined),
  }
})

const parseListing: (recorded: RecordedResponse) => Listing = memoize((recorded) => {
  const query = new URLSearchParams(recorded.exchange.request.target.split('?')[1])
  return { ...recorded, limit: query.get('limit') ?? undefined, status: query.get('status') ?? undefined }
})

/**
 * Returns whether a page must show every animal that its query selects: its `limit` is valid, it is shorter than its `limit`,
 * and it links to no next page. A server may have a lower maximum, with and without `limit`. So a page is also shorter
 * than the longest page of its kind.
 */
export function isComplete(page: Page, all: readonly Page[]): boolean {
  const asked = Number(page.limit ?? defaultLimit)
  // a server may use the default instead of an invalid limit
  if (!(asked >= 1 && asked <= maximumLimit)) return false
  const { withLimit, without } = longest(all)
  const most = page.limit === undefined ? without : withLimit
  return page.elements.length < asked && page.elements.length < most && !linksNext(page)
}

/** The lengths of the longest pages, with and without `limit`. */
const longest = memoize((all: readonly Page[]) => {
  const findMaxLength = (some: readonly Page[]): number =>
    some.reduce((most, { elements }) => Math.max(most, elements.length), 0)
  return {
    withLimit: findMaxLength(all.filter(({ limit }) => limit !== undefined)),
    without: findMaxLength(all.filter(({ limit }) => limit === undefined)),
  }
})

/** Returns whether a response links to a next page (RFC 8288). */
export function linksNext({ response }: RecordedResponse): boolean {
  const relations = (header(response, 'link') ?? '').matchAll(/;\s*rel\s*=\s*(?:"([^"]*)"|next\b)/gi)
  return [...relations].some(([, quoted]) => quoted === undefined || /\bnext\b/i.test(quoted))
}

/** An animal in a response. */
export interface PetInResponse {
  readonly exchange: Exchange
  readonly pet: Pet
}

/** The places of each animal on the pages of a run, by its id, in the order of the pages. */
export const appearances: (transcript: Transcript) => ReadonlyMap<bigint, readonly PetInResponse[]> = memoize(
  (transcript) => {
    const found = new Map<bigint, PetInResponse[]>()
    for (const page of pages(transcript)) {
      for (const [id, pet] of petsById(page)) {
        const all = found.get(id) ?? []
        found.set(id, all)
        all.push({ exchange: page.exchange, pet })
      }
    }
    return found
  },
)

/**
 * Returns the animals that did not change around an exchange, by id: an unfiltered page before the exchange and one
 * after it show the animal, and every page of the run that shows it shows it alike. Other clients may change animals
 * during the run.
 *
 * @param of The pages that may be those before and after; by default all.
 */
export function findSteadyAnimals(
  transcript: Transcript,
  around: Exchange,
  of: readonly Page[] = pages(transcript),
): ReadonlyMap<bigint, Pet> {
  const placeIn = ({ exchange }: Page): number => findPlace(transcript, exchange)
  const place = findPlace(transcript, around)
  const steady = new Map<bigint, Pet>()
  for (const [id, { first, last }] of spans(of)) {
    const pet = placeIn(first) < place && place < placeIn(last) ? unchanged(transcript).get(id) : undefined
    if (pet !== undefined) steady.set(id, pet)
  }
  return steady
}

/** The first and the last unfiltered page that show each animal, by its id. */
const spans = memoize((of: readonly Page[]): ReadonlyMap<bigint, { first: Page; last: Page }> => {
  const found = new Map<bigint, { first: Page; last: Page }>()
  for (const page of of.filter(({ status }) => status === undefined)) {
    for (const id of petsById(page).keys()) found.set(id, { first: found.get(id)?.first ?? page, last: page })
  }
  return found
})

/** The animals that every page of a run shows alike, by id. */
const unchanged = memoize((transcript: Transcript): ReadonlyMap<bigint, Pet> => {
  const alike = new Map<bigint, Pet>()
  for (const [id, [first, ...others]] of appearances(transcript)) {
    if (first !== undefined && others.every(({ pet }) => isAlike(pet, first.pet))) alike.set(id, first.pet)
  }
  return alike
})

/** Returns the animals on a page by id; of animals with one id, the first. */
export const petsById: (page: Page) => ReadonlyMap<bigint, Pet> = memoize(({ pets }) => {
  const byId = new Map<bigint, Pet>()
  for (const pet of pets) if (!byId.has(pet.id)) byId.set(pet.id, pet)
  return byId
})

/** Returns the names on a page in NFC, also from elements that are not Pets. */
export const namesOn: (page: Page) => ReadonlySet<string> = memoize(({ elements }) => {
  const names = new Set<string>()
  for (const element of elements) {
    const name = isObject(element) ? element.get('name') : undefined
    if (typeof name === 'string') names.add(name.normalize('NFC'))
  }
  return names
})

/**
 * Returns whether other clients remove animals during the run: a later complete page lacks an animal of an earlier
 * page.
 */
export function showsRemovals(transcript: Transcript): boolean {
  const all = pages(transcript)
  const earlier = new Set<bigint>()
  for (const page of all.filter(({ status }) => status === undefined)) {
    const shown = petsById(page)
    const lacksOne = earlier.size > shown.size || [...earlier].some((id) => !shown.has(id))
    if (lacksOne && isComplete(page, all)) return true
    for (const id of shown.keys()) earlier.add(id)
  }
  return false
}

function isList({ method, target }: Exchange['request']): boolean {
  return method === 'GET' && /^\/pets(\?|$)/.test(target)
}

import { isObject, type Json } from './json.ts'
import { memoize } from './memoize.ts'
import { hasSameFields, type Pet, parsePet } from './pets.ts'
import {
  findKeyRejection,
  getHeader,
  hasReadableBody,
  indexOfExchange,
  isGatewayStatus,
  isSuccess,
  listResponses,
  parseBody,
  type RecordedResponse,
} from './responses.ts'
import type { Exchange, Transcript } from './transcript.ts'

/** A response to `GET /pets`, with the query parameters of its request. */
export interface Listing extends RecordedResponse {
  /** The parameter as sent, or `undefined` if the request had none. */
  readonly limit: string | undefined
  readonly status: string | undefined
}

/** A response to `GET /pets` whose body is an array. */
export interface Page extends Listing {
  readonly elements: readonly Json[]
  /** The elements that are pets. Other elements are left out. */
  readonly pets: readonly Pet[]
}

export const defaultLimit = 20
export const maxLimit = 100

/** Lists the responses to `GET /pets` with an accepted key. 401, 429 and gateway errors are left out. */
export const listPageResponses: (transcript: Transcript) => readonly RecordedResponse[] = memoize(
  (transcript) => {
    if (findKeyRejection(transcript.exchanges)) return []
    return listResponses(transcript).filter(
      ({ exchange: { credential, request }, response: { status } }) =>
        isListPets(request) &&
        !isGatewayStatus(status) &&
        (credential === 'key'
          ? status !== 401 && status !== 429
          : credential === 'key-other-case' && isSuccess(status)),
    )
  },
)

export const listSuccessfulPages: (transcript: Transcript) => readonly Listing[] = memoize((transcript) =>
  listPageResponses(transcript)
    .filter(({ response }) => isSuccess(response.status))
    .map(parseListing),
)

/** Lists the successful responses to `GET /pets` whose bodies were read completely. */
export const listReadablePages: (transcript: Transcript) => readonly Listing[] = memoize((transcript) =>
  listSuccessfulPages(transcript).filter(hasReadableBody),
)

/** Lists the successful responses to `GET /pets` whose bodies are arrays. */
export const parsePages: (transcript: Transcript) => readonly Page[] = memoize((transcript) =>
  listReadablePages(transcript).flatMap((list) => parsePage(list) ?? []),
)

const parsePage: (list: Listing) => Page | undefined = memoize((list) => {
  const listElements = parseBody(list.response)
  if (!Array.isArray(listElements)) return undefined
  return {
    ...list,
    elements: listElements,
    pets: listElements.map(parsePet).filter((pet) => pet !== undefined),
  }
})

const parseListing: (recorded: RecordedResponse) => Listing = memoize((recorded) => {
  const query = new URLSearchParams(recorded.exchange.request.target.split('?')[1])
  return { ...recorded, limit: query.get('limit') ?? undefined, status: query.get('status') ?? undefined }
})

/**
 * Checks whether a page shows every animal that its filter matches. A complete page has no link to a next page, and
 * fewer animals than its `limit`. It also has fewer animals than the longest page, as the server may have a lower
 * maximum.
 */
export function isComplete(page: Page, all: readonly Page[]): boolean {
  const requestedLimit = Number(page.limit ?? defaultLimit)
  // A server may use its default instead of an invalid limit.
  if (!(requestedLimit >= 1 && requestedLimit <= maxLimit)) return false
  const { withLimit, without } = findMaxLengths(all)
  const maxLength = page.limit === undefined ? without : withLimit
  return page.elements.length < requestedLimit && page.elements.length < maxLength && !hasNextLink(page)
}

/** Finds the maximum page lengths, with and without a `limit` parameter. */
const findMaxLengths = memoize((all: readonly Page[]) => {
  const findMaxLength = (some: readonly Page[]): number =>
    some.reduce((most, { elements }) => Math.max(most, elements.length), 0)
  return {
    withLimit: findMaxLength(all.filter(({ limit }) => limit !== undefined)),
    without: findMaxLength(all.filter(({ limit }) => limit === undefined)),
  }
})

/** Checks whether a response has a `Link` header with the relation `next` (RFC 8288). */
export function hasNextLink({ response }: RecordedResponse): boolean {
  const relations = (getHeader(response, 'link') ?? '').matchAll(/;\s*rel\s*=\s*(?:"([^"]*)"|next\b)/gi)
  return [...relations].some(([, quoted]) => quoted === undefined || /\bnext\b/i.test(quoted))
}

/**
 * Finds animals that other clients do not change or remove during an exchange. Pages before and after the exchange show
 * them, and all pages show the same fields.
 *
 * @param of The pages to look at before and after the exchange, by default all.
 */
export function findUnchangedPets(
  transcript: Transcript,
  around: Exchange,
  of: readonly Page[] = parsePages(transcript),
): ReadonlyMap<bigint, Pet> {
  const findPlace = ({ exchange }: Page): number => indexOfExchange(transcript, exchange)
  const listIndex = indexOfExchange(transcript, around)
  const unchangedPets = new Map<bigint, Pet>()
  for (const [id, { first, last }] of findPageSpans(of)) {
    const pet =
      findPlace(first) < listIndex && listIndex < findPlace(last)
        ? compareSightings(transcript).get(id)
        : undefined
    if (pet !== undefined) unchangedPets.set(id, pet)
  }
  return unchangedPets
}

/** Finds the first and the last page without a filter that show each animal. */
const findPageSpans = memoize((of: readonly Page[]): ReadonlyMap<bigint, { first: Page; last: Page }> => {
  const spansById = new Map<bigint, { first: Page; last: Page }>()
  for (const page of of.filter(({ status }) => status === undefined)) {
    for (const id of getPetsById(page).keys())
      spansById.set(id, { first: spansById.get(id)?.first ?? page, last: page })
  }
  return spansById
})

/** Maps each id to its animal, or to `undefined` if pages show different fields. */
const compareSightings = memoize((transcript: Transcript): ReadonlyMap<bigint, Pet | undefined> => {
  const commonPets = new Map<bigint, Pet | undefined>()
  for (const page of parsePages(transcript)) {
    for (const [id, pet] of getPetsById(page)) {
      const firstSighting = commonPets.has(id) ? commonPets.get(id) : pet
      commonPets.set(id, firstSighting && hasSameFields(pet, firstSighting) ? firstSighting : undefined)
    }
  }
  return commonPets
})

/** Maps each id on a page to the first animal with it. */
export const getPetsById: (page: Page) => ReadonlyMap<bigint, Pet> = memoize(({ pets }) => {
  const petsById = new Map<bigint, Pet>()
  for (const pet of pets) if (!petsById.has(pet.id)) petsById.set(pet.id, pet)
  return petsById
})

/** Returns the names on a page, in Unicode normalization form C. Elements that are not pets count, too. */
export const getPetNames: (page: Page) => ReadonlySet<string> = memoize(({ elements }) => {
  const names = new Set<string>()
  for (const element of elements) {
    const name = isObject(element) ? element.get('name') : undefined
    if (typeof name === 'string') names.add(name.normalize('NFC'))
  }
  return names
})

/** Checks whether an animal is missing from a complete page after an earlier page showed it. */
export function showsRemovedPets(transcript: Transcript): boolean {
  const allPages = parsePages(transcript)
  const earlierIds = new Set<bigint>()
  for (const page of allPages.filter(({ status }) => status === undefined)) {
    const shownPets = getPetsById(page)
    const lacksEarlierPet =
      earlierIds.size > shownPets.size || [...earlierIds].some((id) => !shownPets.has(id))
    if (lacksEarlierPet && isComplete(page, allPages)) return true
    for (const id of shownPets.keys()) earlierIds.add(id)
  }
  return false
}

function isListPets({ method, target }: Exchange['request']): boolean {
  return method === 'GET' && /^\/pets(\?|$)/.test(target)
}

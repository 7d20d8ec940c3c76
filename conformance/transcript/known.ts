import type { Known } from '../steps/step.ts'
import { findOnPages, isAsSent, type NewPetOnPage, validCreations } from './creations.ts'
import { memoize } from './memoize.ts'
import { pages } from './pages.ts'
import { isPetStatus, type Pet, petStatuses } from './pets.ts'
import { isSuccess, listResponsesTo, type RecordedResponse, readPet } from './responses.ts'
import type { Exchange, Transcript } from './transcript.ts'

/** The values that are known when the run begins: drawn at random, or given as options. */
export interface Given extends Pick<Known, 'marker' | 'unknownId' | 'requestedId' | 'throttleKeyHasLetters'> {
  readonly categoryId: string | undefined
}

/** Returns the facts that the exchanges so far have shown. Each value is found when a step asks for it. */
export function learn(transcript: Transcript, given: Given): Known {
  const listed = (): readonly Pet[] => listedPets(transcript)
  const filter = (): Filter | undefined => chooseFilter(listed())
  return {
    ...given,
    get petId() {
      return petToGet(listed())?.id.toString()
    },
    get firstPetId() {
      return listed()[0]?.id.toString()
    },
    get lastPetId() {
      return listed().at(-1)?.id.toString()
    },
    get wrappedId() {
      return wrappedId(listed())?.toString()
    },
    get categoryId() {
      return given.categoryId ?? smallest(listed().map(({ categoryId }) => categoryId)) ?? '1'
    },
    // nine digits, which hardly any deployment has as a category
    otherCategoryId: (100_000_000n + (BigInt(given.requestedId) % 900_000_000n)).toString(),
    get status() {
      return filter()?.status
    },
    get statusDecides() {
      return filter()?.decides === true
    },
    get statusWasFiltered() {
      return transcript.exchanges.some(({ id }) => id === 'list-status-1')
    },
    get newStatus() {
      return listed()[0]?.status === 'sold' ? 'pending' : 'sold'
    },
    get otherCaseIsAccepted() {
      return listResponsesTo(transcript, 'key-other-case').some(({ response }) => isSuccess(response.status))
    },
    get largeIsRejected() {
      return findStatus(transcript, 'create-int64') === 400
    },
    get noStatusIsAccepted() {
      return isSuccess(findStatus(transcript, 'create-no-status') ?? 0)
    },
    get createdId() {
      return createdToShow(transcript)?.pet.id.toString()
    },
    get createdIsServed() {
      const shown = createdToShow(transcript)
      const returned = listResponsesTo(transcript, 'key').findLast(({ id }) => id.startsWith('get-created'))
      return shown !== undefined && returned !== undefined && isShownBy(returned, shown.exchange, shown.pet)
    },
    get doubtfulPages() {
      return findDoubtful(transcript).map(({ page }) => page.status)
    },
  }
}

/** The animals on the pages without a filter. */
const listedPets: (transcript: Transcript) => readonly Pet[] = memoize((transcript) => {
  const sightings = pages(transcript)
    .filter(({ status }) => status === undefined)
    .flatMap(({ pets }) => pets)
  return [...new Map(sightings.map((pet) => [pet.id, pet])).values()]
})

/** Returns the new animal to get: one that the pages do not show as it was sent, or one with a large number. */
function createdToShow(
  transcript: Transcript,
): { readonly exchange: Exchange; readonly pet: Pet } | undefined {
  const [doubtful] = findDoubtful(transcript)
  if (doubtful) return doubtful
  const created = validCreations(transcript).flatMap(({ id, exchange, pet }) =>
    pet === undefined ? [] : [{ id, exchange, pet }],
  )
  return created.find(({ id }) => id === 'create-int64') ?? created[0]
}

/** Returns the new animals that the pages do not show as they were sent. */
function findDoubtful(transcript: Transcript): readonly NewPetOnPage[] {
  return findOnPages(transcript).filter(
    ({ creation, pet, found }) =>
      found === undefined || (isAsSent(creation.exchange, pet) && !isAsSent(creation.exchange, found)),
  )
}

/** Returns whether a response of getPet shows a new animal as it was sent. */
function isShownBy({ response }: RecordedResponse, sent: Exchange, { id }: Pet): boolean {
  const pet = response.status === 200 ? readPet(response) : undefined
  return pet !== undefined && pet.id === id && isAsSent(sent, pet)
}

function findStatus(transcript: Transcript, id: string): number | undefined {
  return listResponsesTo(transcript, 'key').find((recorded) => recorded.id === id)?.response.status
}

/** The listed animal to get: one with a number that a double cannot represent, else one in the middle of the page. */
function petToGet(listed: readonly Pet[]): Pet | undefined {
  const large = listed.find(({ id, categoryId }) => isLarge(id) || isLarge(categoryId))
  return large ?? listed[Math.floor(listed.length / 2)]
}

/** A status to filter by. */
interface Filter {
  readonly status: string
  /** True if its page with `limit=1` can show that filter and limit both count. */
  readonly decides: boolean
}

/**
 * Chooses the status of the page with a filter and a limit: one of two animals, and not of the first, shows a server
 * that ignores either. If every listed animal has one status, another status shows a server that ignores the filter.
 */
function chooseFilter(listed: readonly Pet[]): Filter | undefined {
  const first = listed[0]?.status
  const count = (status: string): number => listed.filter((pet) => pet.status === status).length
  const rank = (status: string): number =>
    (count(status) > 0 ? 1 : 0) + (count(status) > 1 ? 1 : 0) + (status === first ? 0 : 3)
  const [best] = petStatuses.toSorted((a, b) => rank(b) - rank(a))
  if (best === undefined || !listed.some((pet) => isPetStatus(pet.status))) return undefined
  return { status: best, decides: count(best) > 1 && best !== first }
}

/** Returns a listed id plus or minus 2^32 that no listed animal has: a server that truncates ids returns the animal. */
function wrappedId(listed: readonly Pet[]): bigint | undefined {
  const ids = new Set(listed.map(({ id }) => id))
  const candidates = listed.flatMap(({ id }) => [id + 2n ** 32n, id - 2n ** 32n])
  return candidates.find((id) => BigInt.asIntN(64, id) === id && !ids.has(id))
}

function isLarge(value: bigint): boolean {
  return value !== BigInt(Number(value)) || !Number.isSafeInteger(Number(value))
}

function smallest(values: readonly bigint[]): string | undefined {
  const magnitude = (value: bigint): bigint => (value < 0n ? -value : value)
  return values.toSorted((a, b) => (magnitude(a) < magnitude(b) ? -1 : 1))[0]?.toString()
}

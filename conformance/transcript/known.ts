import type { Known } from '../steps/step.ts'
import { isAsSent, type Placing, placings, validCreations } from './creations.ts'
import { once } from './once.ts'
import { pages } from './pages.ts'
import { type Pet, petOf, petStatuses } from './pets.ts'
import { isSuccess, jsonOf, type RecordedResponse, responsesTo } from './responses.ts'
import type { Exchange, Transcript } from './transcript.ts'

/** The values that are known when the run begins: drawn at random, or given as options. */
export interface Given extends Pick<Known, 'marker' | 'unknownId' | 'requestedId' | 'throttleKeyHasLetters'> {
  readonly categoryId: string | undefined
}

/** Returns what the exchanges so far have shown. Each value is found when a step asks for it. */
export function learn(transcript: Transcript, given: Given): Known {
  const listed = (): readonly Pet[] => listedPets(transcript)
  const filter = (): Count | undefined => statusToFilterBy(listed())
  return {
    ...given,
    get petId() {
      return petToGet(listed())?.id.toString()
    },
    get categoryId() {
      return given.categoryId ?? smallest(listed().map(({ categoryId }) => categoryId)) ?? '1'
    },
    // nine digits, which hardly any deployment has as a category
    otherCategoryId: (100_000_000n + (BigInt(given.requestedId) % 900_000_000n)).toString(),
    get status() {
      return filter()?.status
    },
    get statusIsShared() {
      return (filter()?.count ?? 0) > 1
    },
    get largeIsRejected() {
      return statusOf(transcript, 'create-int64') === 400
    },
    get onceIsAccepted() {
      return isSuccess(statusOf(transcript, 'create-once') ?? 0)
    },
    get createdId() {
      return createdToShow(transcript)?.pet.id.toString()
    },
    get createdIsServed() {
      const shown = createdToShow(transcript)
      const returned = responsesTo(transcript, 'key').findLast(({ id }) => id.startsWith('get-created'))
      return shown !== undefined && returned !== undefined && isShownBy(returned, shown.exchange, shown.pet)
    },
    get doubtfulStatuses() {
      return [...new Set(doubtfulPlacings(transcript).flatMap(({ page }) => page.status ?? []))]
    },
  }
}

/** The animals on the pages without a filter. */
const listedPets: (transcript: Transcript) => readonly Pet[] = once((transcript) => {
  const sightings = pages(transcript)
    .filter(({ status }) => status === undefined)
    .flatMap(({ pets }) => pets)
  return [...new Map(sightings.map((pet) => [pet.id, pet])).values()]
})

/** Returns the new animal to get: one that the pages do not show as it was sent, or one with a large number. */
function createdToShow(
  transcript: Transcript,
): { readonly exchange: Exchange; readonly pet: Pet } | undefined {
  const [doubtful] = doubtfulPlacings(transcript)
  if (doubtful) return doubtful
  const created = validCreations(transcript).flatMap(({ id, exchange, pet }) =>
    pet === undefined ? [] : [{ id, exchange, pet }],
  )
  return created.find(({ id }) => id === 'create-int64') ?? created[0]
}

/** Returns the new animals that the pages of their status do not show as they were sent. */
function doubtfulPlacings(transcript: Transcript): readonly Placing[] {
  return placings(transcript).filter(
    ({ creation, pet, found }) =>
      found === undefined || (isAsSent(creation.exchange, pet) && !isAsSent(creation.exchange, found)),
  )
}

/** Whether a response of getPet shows a new animal as it was sent. */
function isShownBy({ response }: RecordedResponse, sent: Exchange, { id }: Pet): boolean {
  const pet = response.status === 200 ? petOf(jsonOf(response)) : undefined
  return pet !== undefined && pet.id === id && isAsSent(sent, pet)
}

function statusOf(transcript: Transcript, id: string): number | undefined {
  return responsesTo(transcript, 'key').find((recorded) => recorded.id === id)?.response.status
}

/** The listed animal to get: one with a number that a double cannot represent, else one in the middle of the page. */
function petToGet(listed: readonly Pet[]): Pet | undefined {
  const large = listed.find(({ id, categoryId }) => isLarge(id) || isLarge(categoryId))
  return large ?? listed[Math.floor(listed.length / 2)]
}

interface Count {
  readonly status: string
  readonly count: number
}

/** The status to filter by: of two animals, and not of the first, to notice a server that ignores filter or limit. */
function statusToFilterBy(listed: readonly Pet[]): Count | undefined {
  const counts = petStatuses.map((status) => {
    return { status, count: listed.filter((pet) => pet.status === status).length }
  })
  const rank = ({ status, count }: Count): number =>
    Math.min(2, count) * 2 + (status === listed[0]?.status ? 0 : 1)
  return counts.filter(({ count }) => count > 0).toSorted((a, b) => rank(b) - rank(a))[0]
}

function isLarge(value: bigint): boolean {
  return value !== BigInt(Number(value)) || !Number.isSafeInteger(Number(value))
}

function smallest(values: readonly bigint[]): string | undefined {
  const magnitude = (value: bigint): bigint => (value < 0n ? -value : value)
  return values.toSorted((a, b) => (magnitude(a) < magnitude(b) ? -1 : 1))[0]?.toString()
}

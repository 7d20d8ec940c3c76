import type { LearnedFacts } from '../steps/step.ts'
import { chooseCreationToGet, listFailedReadBacks, listValidCreations, readSentMember } from './creations.ts'
import { memoize } from './memoize.ts'
import { parsePages } from './pages.ts'
import { isLost, isShownLater, listParallelCreations } from './parallel-creations.ts'
import { isPetStatus, type Pet, petStatuses } from './pets.ts'
import { findResponse, isSuccess, listResponsesFor } from './responses.ts'
import type { Transcript } from './transcript.ts'

/** Facts that are known before the first request: options and random values. */
export interface GivenFacts
  extends Pick<LearnedFacts, 'marker' | 'unknownId' | 'idInBody' | 'throttleKeyHasLetters'> {
  readonly categoryId: string | undefined
}

/**
 * Returns the facts that later requests depend on. Each fact is read from the transcript when it is used, so it
 * reflects all exchanges so far.
 */
export function createKnown(transcript: Transcript, given: GivenFacts): LearnedFacts {
  const getListedPets = (): readonly Pet[] => collectListedPets(transcript)
  const filter = (): StatusFilter | undefined => chooseStatusFilter(getListedPets())
  return {
    ...given,
    get petId() {
      return choosePetToGet(getListedPets())?.id.toString()
    },
    get firstPetId() {
      return getListedPets()[0]?.id.toString()
    },
    get lastPetId() {
      return getListedPets().at(-1)?.id.toString()
    },
    get wrappedId() {
      return findWrappedId(getListedPets())?.toString()
    },
    get categoryId() {
      return given.categoryId ?? findSmallest(getListedPets().map(({ categoryId }) => categoryId)) ?? '1'
    },
    // A category that very likely has no animals: 9 digits that are different in each run.
    unlistedCategoryId: (100_000_000n + (BigInt(given.idInBody) % 900_000_000n)).toString(),
    get status() {
      return filter()?.status
    },
    get statusDecides() {
      return filter()?.isConclusive === true
    },
    get filteredPageWasSent() {
      return transcript.exchanges.some(({ id }) => id === 'list-status-1')
    },
    get newStatus() {
      return getListedPets()[0]?.status === 'sold' ? 'pending' : 'sold'
    },
    get otherCaseIsAccepted() {
      return listResponsesFor(transcript, 'key-other-case').some(({ response }) => isSuccess(response.status))
    },
    get largeCategoryIsRejected() {
      return findResponse(transcript, 'create-int64')?.response.status === 400
    },
    get firstCreationIsAccepted() {
      return isSuccess(findResponse(transcript, 'create-available')?.response.status ?? 0)
    },
    get acceptedStatuses() {
      return listValidCreations(transcript).map(({ exchange }) => {
        const status = readSentMember(exchange, 'status')
        return typeof status === 'string' ? status : undefined
      })
    },
    get parallelIds() {
      const ids: (string | undefined)[] = []
      const creations = listParallelCreations(transcript)
      // A lost animal already decides the rule's verdict, so the other animals are not requested.
      if (creations.some(isLost)) return ids
      for (const one of creations) if (!isShownLater(one)) ids[one.index] = one.pet?.id.toString()
      return ids
    },
    get createdId() {
      const created = listValidCreations(transcript).filter(({ pet }) => pet !== undefined)
      return chooseCreationToGet(created)?.pet?.id.toString()
    },
    get unshownStepIds() {
      return listUnshownStepIds(transcript)
    },
  }
}

const listUnshownStepIds: (transcript: Transcript) => readonly string[] = memoize((transcript) => [
  ...listFailedReadBacks(transcript),
  ...listParallelCreations(transcript).flatMap((one) =>
    one.readBack === undefined || isShownLater(one) ? [] : one.readBack.exchange.id,
  ),
])

/** Lists the animals on pages without a filter, each as the last page showed it. */
const collectListedPets: (transcript: Transcript) => readonly Pet[] = memoize((transcript) => {
  const sightings = parsePages(transcript)
    .filter(({ status }) => status === undefined)
    .flatMap(({ pets }) => pets)
  return [...new Map(sightings.map((pet) => [pet.id, pet])).values()]
})

/**
 * Chooses a listed animal for `GET /pets/{id}`: one whose id or category a double cannot represent, or the one in the
 * middle.
 */
function choosePetToGet(listed: readonly Pet[]): Pet | undefined {
  const largePet = listed.find(({ id, categoryId }) => isUnsafeInteger(id) || isUnsafeInteger(categoryId))
  return largePet ?? listed[Math.floor(listed.length / 2)]
}

interface StatusFilter {
  readonly status: string
  /** Whether the filter's effect is visible: several animals have the status, but the first listed animal does not. */
  readonly isConclusive: boolean
}

/**
 * Chooses the status to filter by. A status that several animals have, but not the first one, reveals a server that
 * ignores `status` or `limit`. If all animals have one status, another status is chosen, which reveals a server that
 * ignores the filter.
 */
function chooseStatusFilter(listed: readonly Pet[]): StatusFilter | undefined {
  const firstStatus = listed[0]?.status
  const countStatus = (status: string): number => listed.filter((pet) => pet.status === status).length
  const rankStatus = (status: string): number =>
    (countStatus(status) > 0 ? 1 : 0) + (countStatus(status) > 1 ? 1 : 0) + (status === firstStatus ? 0 : 3)
  const [best] = petStatuses.toSorted((a, b) => rankStatus(b) - rankStatus(a))
  if (best === undefined || !listed.some((pet) => isPetStatus(pet.status))) return undefined
  return { status: best, isConclusive: countStatus(best) > 1 && best !== firstStatus }
}

/**
 * Finds an id that no animal has and that differs from a listed id by 2^32. A server that truncates ids to 32 bits
 * returns the listed animal.
 */
function findWrappedId(listed: readonly Pet[]): bigint | undefined {
  const listedIds = new Set(listed.map(({ id }) => id))
  const candidates = listed.flatMap(({ id }) => [id + 2n ** 32n, id - 2n ** 32n])
  return candidates.find((id) => BigInt.asIntN(64, id) === id && !listedIds.has(id))
}

function isUnsafeInteger(value: bigint): boolean {
  return !Number.isSafeInteger(Number(value))
}

function findSmallest(values: readonly bigint[]): string | undefined {
  const computeMagnitude = (value: bigint): bigint => (value < 0n ? -value : value)
  return values
    .reduce<bigint | undefined>(
      (least, value) =>
        least === undefined || computeMagnitude(value) < computeMagnitude(least) ? value : least,
      undefined,
    )
    ?.toString()
}

import type { Known } from './steps.ts'
import { validCreations } from './transcript/creations.ts'
import { pages } from './transcript/pages.ts'
import { type Pet, petStatuses } from './transcript/pets.ts'
import { placings } from './transcript/placings.ts'
import type { Transcript } from './transcript/transcript.ts'

/** The values that are known when the run begins: drawn at random, or given as options. */
export interface Given extends Pick<Known, 'marker' | 'unknownId' | 'requestedId'> {
  readonly categoryId: string | undefined
}

/** Returns what the exchanges so far have shown. */
export function learn(transcript: Transcript, given: Given): Known {
  const sightings = pages(transcript)
    .filter(({ status }) => status === undefined)
    .flatMap(({ pets }) => pets)
  const listed = [...new Map(sightings.map((pet) => [pet.id, pet])).values()]
  const created = validCreations(transcript).flatMap(({ pet }) => pet ?? [])
  const missing = placings(transcript).find(({ found }) => found === 'missing')?.pet
  return {
    ...given,
    petId: petToGet(listed)?.id.toString(),
    categoryId: given.categoryId ?? smallest(listed.map(({ categoryId }) => categoryId)) ?? '1',
    status: statusToFilterBy(listed),
    createdId: created[0]?.id.toString(),
    createdIsServed: transcript.exchanges.some(
      ({ id, outcome }) =>
        id === 'get-created' && outcome.kind === 'response' && outcome.response.status === 200,
    ),
    missingId: missing?.id.toString(),
  }
}

/** The listed animal to get: one with a number that a double cannot represent, else one in the middle of the page. */
function petToGet(listed: readonly Pet[]): Pet | undefined {
  const large = listed.find(({ id, categoryId }) => isLarge(id) || isLarge(categoryId))
  return large ?? listed[Math.floor(listed.length / 2)]
}

/** The status to filter by: if possible one of two animals and not of the first, so that a server that ignores the filter or the limit is noticed. */
function statusToFilterBy(listed: readonly Pet[]): string {
  const counted = petStatuses.map((status) => ({
    status,
    rank:
      Math.min(2, listed.filter((pet) => pet.status === status).length) * 2 +
      (status === listed[0]?.status ? 0 : 1),
  }))
  return counted.reduce((a, b) => (b.rank > a.rank ? b : a)).status
}

function isLarge(value: bigint): boolean {
  return value !== BigInt(Number(value)) || !Number.isSafeInteger(Number(value))
}

function smallest(values: readonly bigint[]): string | undefined {
  const magnitude = (value: bigint): bigint => (value < 0n ? -value : value)
  return values.length === 0
    ? undefined
    : values.reduce((a, b) => (magnitude(b) < magnitude(a) ? b : a)).toString()
}

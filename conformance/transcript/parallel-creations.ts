import { parallelGroup } from '../steps/steps-create.ts'
import { readSentName } from './creations.ts'
import { findGroup } from './groups.ts'
import { memoize } from './memoize.ts'
import { getPetsById, parsePages } from './pages.ts'
import { isSameName, type Pet } from './pets.ts'
import { indexOfExchange, isGatewayStatus, isSuccess, listResponsesFor, readPet } from './responses.ts'
import type { Exchange, Transcript } from './transcript.ts'

/** A successful creation that was sent in parallel with others. */
export interface ParallelCreation {
  /** The position in the group, from 0. */
  readonly index: number
  readonly exchange: Exchange
  /** The name in the request. */
  readonly name: string
  /** The animal in the response, or `undefined` if the body is not a pet. */
  readonly pet: Pet | undefined
  /** The last response that should show the animal. `found` is `undefined` if the animal is missing. */
  readonly readBack: { readonly exchange: Exchange; readonly found: Pet | undefined } | undefined
}

/** Lists the successful creations among the parallel requests. */
export const listParallelCreations: (transcript: Transcript) => readonly ParallelCreation[] = memoize(
  (transcript) => {
    const exchanges = findGroup(transcript, parallelGroup)?.exchanges ?? []
    return exchanges.flatMap((exchange, index): readonly ParallelCreation[] => {
      const { response } = exchange
      if (response === undefined || !isSuccess(response.status)) return []
      const pet = readPet(response)
      const name = readSentName(exchange) ?? ''
      return [{ index, exchange, name, pet, readBack: pet && findReadBack(transcript, exchange, index, pet) }]
    })
  },
)

/** Checks whether a later response shows the animal with the name that was sent or returned. */
export function isShownLater({ name, pet, readBack }: ParallelCreation): boolean {
  const foundPet = readBack?.found
  return foundPet !== undefined && (isSameName(name, foundPet.name) || isSameName(pet?.name, foundPet.name))
}

/** Checks whether `GET /pets/{id}` was sent twice and did not find the animal. */
export function isLost({ readBack }: ParallelCreation): boolean {
  return readBack !== undefined && readBack.found === undefined && readBack.exchange.id.endsWith('-again')
}

function findReadBack(
  transcript: Transcript,
  created: Exchange,
  index: number,
  { id }: Pet,
): ParallelCreation['readBack'] {
  const ownStepId = `get-together-${index + 1}`
  const getResponse = listResponsesFor(transcript, 'key').findLast(
    (recorded) =>
      recorded.id.startsWith(ownStepId) &&
      !isGatewayStatus(recorded.response.status) &&
      recorded.response.status !== 429,
  )
  if (getResponse !== undefined) {
    const pet = readPet(getResponse.response)
    return { exchange: getResponse.exchange, found: pet?.id === id ? pet : undefined }
  }
  const creationIndex = indexOfExchange(transcript, created)
  const page = parsePages(transcript).findLast(
    (candidate) =>
      getPetsById(candidate).has(id) && indexOfExchange(transcript, candidate.exchange) > creationIndex,
  )
  return page && { exchange: page.exchange, found: getPetsById(page).get(id) }
}

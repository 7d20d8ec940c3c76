import type { Report } from '../report/report.ts'
import { shorten } from '../transcript/bounds.ts'
import { listCreatingResponses, readSentName } from '../transcript/creations.ts'
import type { Json } from '../transcript/json.ts'
import { isSameName, type Pet, parsePet } from '../transcript/pets.ts'
import { isSuccess, listResponses, parseBody, readMember, readPet } from '../transcript/responses.ts'
import type { Transcript } from '../transcript/transcript.ts'

/**
 * Lists the animals that a run created. Some creations seem to fail, but a later response shows an animal whose name
 * has the run's marker: these animals are listed, too.
 */
export function listCreatedAnimals(transcript: Transcript): Report['created'] {
  const markedPets = findMarkedPets(transcript)
  const acceptedCreations = listCreatingResponses(transcript).map((recorded) => {
    const name = readPet(recorded.response)?.name ?? readSentName(recorded.exchange) ?? 'none'
    const id = readId(readMember(recorded, 'id')) ?? markedPets.find((pet) => isSameName(name, pet.name))?.id
    return { id: id?.toString() ?? 'unknown', name: shorten(name) }
  })
  const acceptedIds = new Set(acceptedCreations.map(({ id }) => id))
  const otherAnimals = markedPets.map(({ id, name }) => ({ id: id.toString(), name: shorten(name) }))
  return [...acceptedCreations, ...otherAnimals.filter(({ id }) => !acceptedIds.has(id))]
}

/** Finds all animals whose name contains the run's marker. */
function findMarkedPets(transcript: Transcript): readonly Pet[] {
  const foundPets = new Map<bigint, Pet>()
  for (const { response } of listResponses(transcript)) {
    const body = isSuccess(response.status) ? parseBody(response) : undefined
    for (const value of Array.isArray(body) ? body : [body]) {
      const pet = parsePet(value)
      if (pet?.name.includes(transcript.marker)) foundPets.set(pet.id, pet)
    }
  }
  return [...foundPets.values()]
}

/** Formats an id: an integer, or the visible ASCII characters that a broken deployment may return instead. */
function readId(id: Json | undefined): string | undefined {
  if (typeof id === 'bigint') return id.toString()
  return typeof id === 'string' && /^[\x21-\x7e]+$/.test(id) ? shorten(id) : undefined
}

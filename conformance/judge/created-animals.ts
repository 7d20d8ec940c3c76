import type { Report } from '../report/report.ts'
import { shorten } from '../transcript/bounds.ts'
import { additions, readSentName } from '../transcript/creations.ts'
import type { Json } from '../transcript/json.ts'
import { isSameName, type Pet, parsePet } from '../transcript/pets.ts'
import { isSuccess, parseBody, readMember, readPet, responses } from '../transcript/responses.ts'
import type { Transcript } from '../transcript/transcript.ts'

/**
 * Lists the animals that a run created: by an accepted creation, or by one that seemed to fail although a later
 * response shows the animal with the marker of the run.
 */
export function listCreated(transcript: Transcript): Report['created'] {
  const shown = findMarked(transcript)
  const accepted = additions(transcript).map((recorded) => {
    const name = readPet(recorded.response)?.name ?? readSentName(recorded.exchange) ?? 'none'
    const id = readId(readMember(recorded, 'id')) ?? shown.find((pet) => isSameName(name, pet.name))?.id
    return { id: id?.toString() ?? 'unknown', name: shorten(name) }
  })
  const ids = new Set(accepted.map(({ id }) => id))
  const others = shown.map(({ id, name }) => ({ id: id.toString(), name: shorten(name) }))
  return [...accepted, ...others.filter(({ id }) => !ids.has(id))]
}

/** Finds the animals with the marker in all responses, each once. */
function findMarked(transcript: Transcript): readonly Pet[] {
  const found = new Map<bigint, Pet>()
  for (const { response } of responses(transcript)) {
    const body = isSuccess(response.status) ? parseBody(response) : undefined
    for (const value of Array.isArray(body) ? body : [body]) {
      const pet = parsePet(value)
      if (pet?.name.includes(transcript.marker)) found.set(pet.id, pet)
    }
  }
  return [...found.values()]
}

/**
 * Returns an id as it is written: an integer, or a string of visible ASCII characters, which a server may have as well.
 */
function readId(id: Json | undefined): string | undefined {
  if (typeof id === 'bigint') return id.toString()
  return typeof id === 'string' && /^[\x21-\x7e]+$/.test(id) ? shorten(id) : undefined
}

import { type Creation, validCreations } from './creations.ts'
import type { Json } from './json.ts'
import { isComplete, type Page, pages, petsById } from './pages.ts'
import { isPetStatus, type Pet } from './pets.ts'
import { placeOf } from './responses.ts'
import type { Transcript } from './transcript.ts'

/** A new animal, and the last page of its status with `limit=100`. */
export interface Placing {
  readonly creation: Creation
  readonly exchange: Creation['exchange']
  readonly pet: Pet
  readonly page: Page
  /** The animal on the page; `undefined` on a complete page that lacks it. A page that is not complete proves nothing. */
  readonly found: Pet | undefined
}

/** Returns where the filtered pages show the animals that were created before them, by the status in their 201. */
export function placings(transcript: Transcript): readonly Placing[] {
  const all = pages(transcript)
  const lastOf: ReadonlyMap<Json | undefined, Page> = new Map(
    all.filter(({ limit }) => limit === '100').map((page) => [page.status, page]),
  )
  return validCreations(transcript).flatMap((creation): readonly Placing[] => {
    const { pet, exchange } = creation
    if (pet === undefined || !isPetStatus(pet.status)) return []
    const page = lastOf.get(pet.status)
    if (page === undefined || placeOf(transcript, page.exchange) < placeOf(transcript, exchange)) return []
    const found = petsById(page).get(pet.id)
    return found !== undefined || isComplete(page, all) ? [{ creation, exchange, pet, page, found }] : []
  })
}

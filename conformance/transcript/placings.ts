import { type Creation, validCreations } from './creations.ts'
import { idsOn, isComplete, type Page, pages } from './pages.ts'
import { isPetStatus, type Pet } from './pets.ts'
import type { Transcript } from './transcript.ts'

/** A new animal, and a later page of its status with `limit=100`. */
export interface Placing {
  readonly creation: Creation
  readonly pet: Pet
  readonly page: Page
  /** Whether the page shows the animal. A page that lacks it counts only if the page is complete. */
  readonly found: 'listed' | 'missing'
}

/** Returns where the filtered pages show the animals that were created before them, by the status in their 201. */
export function placings(transcript: Transcript): readonly Placing[] {
  const all = pages(transcript)
  const place = new Map(transcript.exchanges.map((exchange, n) => [exchange, n]))
  const isLater = (page: Page, { exchange }: Creation): boolean =>
    (place.get(page.exchange) ?? 0) > (place.get(exchange) ?? 0)
  return validCreations(transcript).flatMap((creation): readonly Placing[] => {
    const { pet } = creation
    if (pet === undefined || !isPetStatus(pet.status)) return []
    return all
      .filter((page) => page.status === pet.status && page.limit === '100' && isLater(page, creation))
      .flatMap((page): readonly Placing[] => {
        if (idsOn(page).has(pet.id)) return [{ creation, pet, page, found: 'listed' }]
        return isComplete(page, all) ? [{ creation, pet, page, found: 'missing' }] : []
      })
  })
}

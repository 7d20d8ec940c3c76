import { type Creation, validCreations } from './creations.ts'
import { idsOn, isComplete, type Page, pages } from './pages.ts'
import { isPetStatus, type Pet } from './pets.ts'
import type { Transcript } from './transcript.ts'

/** A new animal and a later page of its status, the largest that can be asked for. */
export interface Placing {
  readonly creation: Creation
  readonly pet: Pet
  readonly page: Page
  /** `missing` only where the page is complete; a page that is not and does not show it makes no placing. */
  readonly found: 'there' | 'missing'
}

/** What the filtered pages show of the animals that were created before them, with the status that they came back with. */
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
        if (idsOn(page).has(pet.id)) return [{ creation, pet, page, found: 'there' }]
        return isComplete(page, all) ? [{ creation, pet, page, found: 'missing' }] : []
      })
  })
}

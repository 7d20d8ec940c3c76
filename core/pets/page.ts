import { isWholeNumber } from '../base/options.ts'
import { type Pet, petToJson } from './pet.ts'
import type { PetPage } from './store.ts'

/**
 * Formats animals as a page.
 *
 * @param pets - The animals, with one more than `limit` if there is a next page.
 */
export function toPage(pets: readonly Pet[], limit: number): PetPage {
  const json = `[${pets.slice(0, limit).map(petToJson).join(',')}]`
  return { json, next: pets[limit] && pets[limit - 1]?.id }
}

/**
 * Checks a page that a store has returned.
 *
 * @throws {TypeError} If it is not a page.
 */
export function checkPage(page: PetPage): PetPage {
  const { json, bytes, next } = page
  const isPage =
    typeof json === 'string' &&
    (bytes === undefined || isWholeNumber(bytes)) &&
    (next === undefined || typeof next === 'bigint')
  if (!isPage) throw new TypeError('store.page must return { json, bytes?, next? }')
  return page
}

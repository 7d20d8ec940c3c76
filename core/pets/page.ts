import { isWholeNumber } from '../base/options.ts'
import { type Pet, petToJson } from './pet.ts'
import type { PetPage } from './store.ts'

/** Returns the first `limit` animals of a list, which has one more if more match, as a page. */
export function toPage(pets: readonly Pet[], limit: number): PetPage {
  const json = `[${pets.slice(0, limit).map(petToJson).join(',')}]`
  return { json, next: pets[limit] && pets[limit - 1]?.id }
}

/**
 * Returns a page that a store has returned.
 *
 * @throws {TypeError} It is not a page.
 */
export function checkPage(page: PetPage): PetPage {
  const { json, bytes, next } = page
  const isPage =
    typeof json === 'string' &&
    (bytes === undefined || isWholeNumber(bytes)) &&
    (next === undefined || typeof next === 'bigint')
  if (!isPage) throw new TypeError('page of the store must return { json, bytes?, next? }')
  return page
}

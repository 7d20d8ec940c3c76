import { type Pet, petsToJson } from './pet.ts'
import type { PetPage } from './store.ts'

/** A cache of pages, for a store whose list only grows at its end: there, a full page never changes. */
export interface PageCache {
  /**
   * Returns the page of a key, which `read` loads if it is not cached. It is cached if it is full: as long as `limit`, with
   * which it is read.
   */
  page(key: string | number, limit: number, read: () => readonly Pet[]): readonly Pet[]
  /** Empties the cache, for a list that has changed elsewhere than at its end. */
  clear(): void
}

/**
 * The maximum number of cached pages. Without them and their JSON, a mix of pages takes half as much
 * time again.
 */
const maxPages = 64

/** The longest JSON that is cached, so that 64 pages use less than 8 MiB. */
const maxCachedLength = 65_536

/** The text of frozen pages, which never change, for as long as the store holds them. */
const texts = new WeakMap<readonly Pet[], PetPage & { limit: number }>()

/** Creates an empty cache. Cached pages are frozen, which shows `pageOf` that it may cache their JSON, too. */
export function createPageCache(): PageCache {
  const pages = new Map<string | number, readonly Pet[]>()
  return {
    page(key, limit, read) {
      const cached = pages.get(key)
      if (cached) return cached
      const page = read()
      if (page.length < limit) return page
      if (pages.size >= maxPages) pages.clear()
      pages.set(key, Object.freeze(page))
      return page
    },
    clear: () => pages.clear(),
  }
}

/**
 * Returns the first `limit` animals of a list, which has one more if more match, as a page. That of a frozen list is cached,
 * whatever store it comes from.
 */
export function pageOf(pets: readonly Pet[], limit: number): PetPage {
  const cached = texts.get(pets)
  if (cached?.limit === limit) return cached
  const page = { limit, json: petsToJson(pets.slice(0, limit)), next: pets[limit] && pets[limit - 1]?.id }
  // checked last, because it takes Bun 10 µs for a page of 100
  if (page.json.length <= maxCachedLength && Object.isFrozen(pets)) texts.set(pets, page)
  return page
}

import { type Pet, petsToJson } from './pet.ts'

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

/** The JSON of frozen pages, which never change, for as long as the store holds them. */
const bodies = new WeakMap<readonly Pet[], { limit: number; json: string }>()

/** Creates an empty cache. Cached pages are frozen, which shows `pageBody` that it may cache their JSON, too. */
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

/** Returns the JSON of the first `limit` animals of a page. That of a frozen page is cached, whatever store it comes from. */
export function pageBody(pets: readonly Pet[], limit: number): string {
  const cached = bodies.get(pets)
  if (cached?.limit === limit) return cached.json
  const json = petsToJson(pets.slice(0, limit))
  // checked last, because it takes Bun 10 µs for a page of 100
  if (json.length <= maxCachedLength && Object.isFrozen(pets)) bodies.set(pets, { limit, json })
  return json
}

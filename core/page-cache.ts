import type { Pet } from './pet.ts'

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

/** The maximum number of cached pages. With their JSON, lists of 100 from memory are returned twice as fast. */
const maxPages = 64

/** Creates an empty cache. Cached pages are frozen, which shows the service that it may cache their JSON, too. */
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

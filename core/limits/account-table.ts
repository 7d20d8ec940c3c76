import type { Account } from './account.ts'
import { createBanTable } from './ban-table.ts'
import type { BanPolicy } from './bans.ts'

/** The accounts of a limiter, by their keys. A place is the number of a row. */
export interface AccountTable {
  /** The number of keys. */
  readonly size: number
  /** Returns the place of a key's account; -1 if there is none. */
  find(key: string): number
  /** Makes room for a key that has no account, and returns its place. */
  add(key: string): number
  delete(place: number, key: string): void
  /** Returns the account at a place. Every call returns the same object, filled anew. */
  read(place: number): Account
  /** Stores an account, and when it becomes the same as a new one (ms since the epoch). */
  write(place: number, account: Account, emptyAt: number): void
  /** Returns when the account at a place becomes the same as a new one (ms since the epoch). */
  emptyAt(place: number): number
  /** Returns every key and its place, also those that are added during the iteration. */
  entries(): Iterator<[key: string, place: number]>
}

/** The number of rows in one array: the table grows by an array, and copies nothing. */
const rowsPerChunk = 4096

/**
 * Creates an empty table. The numbers of a key stand in one row of a long array, next to each other in memory: with
 * 1,000,000 keys, a check takes half as long as with an object for each. The row of a deleted key is used again.
 * `policy` is undefined if rejections never become a ban.
 */
export function createAccountTable(policy: BanPolicy | undefined): AccountTable {
  const places = new Map<string, number>()
  const bans = policy && createBanTable(policy)
  const free: number[] = []
  const account: Account = { bucket: [], ban: undefined }
  let chunks: Float64Array[] = []
  /** A row holds when the account becomes empty, then its bucket. */
  let width = 0
  let rows = 0

  function widen(wider: number): void {
    chunks = chunks.map((chunk) => {
      const wide = new Float64Array(rowsPerChunk * wider)
      chunk.forEach((number, i) => {
        wide[Math.floor(i / width) * wider + (i % width)] = number
      })
      return wide
    })
    width = wider
  }

  /** Every place has a chunk; the types do not show it. */
  const chunkOf = (place: number) => chunks[Math.floor(place / rowsPerChunk)] ?? new Float64Array()
  const startOf = (place: number) => (place % rowsPerChunk) * width

  return {
    get size() {
      return places.size
    },
    find: (key) => places.get(key) ?? -1,
    add(key) {
      const place = free.pop() ?? rows++
      if (place === chunks.length * rowsPerChunk) chunks.push(new Float64Array(rowsPerChunk * width))
      places.set(key, place)
      return place
    },
    delete(place, key) {
      places.delete(key)
      bans?.delete(place)
      free.push(place)
    },
    read(place) {
      const chunk = chunkOf(place)
      const start = startOf(place)
      const { bucket } = account
      for (let i = 1; i < width; i++) bucket[i - 1] = chunk[start + i] ?? 0
      account.ban = bans?.read(place)
      return account
    },
    write(place, { bucket, ban }, emptyAt) {
      if (bucket.length >= width) widen(bucket.length + 1)
      const chunk = chunkOf(place)
      const start = startOf(place)
      chunk[start] = emptyAt
      for (let i = 1; i < width; i++) chunk[start + i] = bucket[i - 1] ?? 0
      if (ban) bans?.write(place, ban)
    },
    emptyAt: (place) => chunkOf(place)[startOf(place)] ?? 0,
    entries: () => places.entries(),
  }
}

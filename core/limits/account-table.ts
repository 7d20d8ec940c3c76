import type { Account } from './account.ts'
import { createBanTable } from './ban-table.ts'
import type { BanPolicy } from './bans.ts'

/** What a limiter keeps of every key. */
export interface AccountTable {
  /** How many keys there are. */
  readonly size: number
  /** Where a key's account is; -1 where it has none. */
  find(key: string): number
  /** Makes room for a key that has none. */
  add(key: string): number
  delete(place: number, key: string): void
  /** Reads the account at a place. It is the same object each time: the next call fills it anew. */
  read(place: number): Account
  /** Keeps an account, and from when on it is the same as none (ms since the epoch). */
  write(place: number, account: Account, emptyAt: number): void
  emptyAt(place: number): number
  /** Every key and its place. Keys that come while they are walked through are met too. */
  entries(): Iterator<[key: string, place: number]>
}

/** How many keys have their numbers in one array: growing copies nothing. */
const rowsPerChunk = 4096

/**
 * Makes an empty table. The numbers of a key lie in one row of a long array, where one look into memory finds them: with
 * 1,000,000 keys, a check takes half as long as with an object for each. The room of a key that is deleted is used again.
 * `policy` is undefined where refusals never become a ban.
 */
export function createAccountTable(policy: BanPolicy | undefined): AccountTable {
  const places = new Map<string, number>()
  const bans = policy && createBanTable(policy)
  const free: number[] = []
  const account: Account = { bucket: [], ban: undefined }
  let chunks: Float64Array[] = []
  /** A row holds when the account becomes empty, and its bucket. */
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

  /** Every place has its chunk, which the types cannot tell. */
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

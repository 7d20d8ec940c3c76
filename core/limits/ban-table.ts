import type { BanPolicy, BanRecord } from './bans.ts'

/** The ban records of an account table, by the places of their accounts. */
export interface BanTable {
  /** Returns the record at a place; undefined where there is none. */
  read(place: number): BanRecord | undefined
  write(place: number, record: BanRecord): void
  delete(place: number): void
}

/** A run of records. */
interface Chunk {
  /** For each record, when its ban ends, when its oldest counted rejection was, when its streak began, and its last rejection. */
  readonly times: Float64Array
  /** For each record, its strikes, and then the bits that hold its counted rejections. */
  readonly words: Int32Array
}

const rowsPerChunk = 256
const timesPerRow = 4
/** Into how many steps the window of a policy is divided. */
const stepsPerWindow = 60

/**
 * Makes an empty table. It stores the time of a counted rejection in steps of a sixtieth of `policy.withinMs`, rounded down.
 * With the default policy a record takes 56 bytes; the exact times of 99 refusals in a minute would take at least 130.
 *
 * Rejection `i` in step `s` (both from 0) is the bit `s + i`, so there are as many bits as steps and rejections (Elias-Fano coding).
 */
export function createBanTable(policy: BanPolicy): BanTable {
  const stepMs = Math.ceil(policy.withinMs / stepsPerWindow)
  const lastStep = Math.ceil(policy.withinMs / stepMs) - 1
  const bits = lastStep + policy.refusals
  const width = 1 + Math.ceil(bits / 32)
  const chunks: (Chunk | undefined)[] = []

  const chunkIndex = (place: number) => Math.floor(place / rowsPerChunk)
  const rowOf = (place: number) => place % rowsPerChunk

  function addChunk(place: number): Chunk {
    const chunk = {
      times: new Float64Array(rowsPerChunk * timesPerRow),
      words: new Int32Array(rowsPerChunk * width),
    }
    chunks[chunkIndex(place)] = chunk
    return chunk
  }

  return {
    read(place) {
      const chunk = chunks[chunkIndex(place)]
      if (!chunk) return undefined
      const { times, words } = chunk
      const row = rowOf(place)
      const first = row * width
      const strikes = words[first] ?? 0
      const rejections: number[] = []
      const time = (i: number) => times[row * timesPerRow + i] ?? 0
      for (let bit = 0; bit < bits; bit++) {
        const isSet = (words[first + 1 + (bit >>> 5)] ?? 0) & (1 << bit)
        if (isSet) rejections.push(time(1) + (bit - rejections.length) * stepMs)
      }
      if (strikes === 0 && rejections.length === 0) return undefined
      return { rejections, until: time(0), strikes, streakAt: time(2), rejectedAt: time(3) }
    },
    write(place, { rejections, until, strikes, streakAt, rejectedAt }) {
      const { times, words } = chunks[chunkIndex(place)] ?? addChunk(place)
      const row = rowOf(place)
      const oldest = Math.floor(rejections[0] ?? 0)
      times.set([until, oldest, streakAt, rejectedAt], row * timesPerRow)
      words.fill(0, row * width, (row + 1) * width)
      words[row * width] = strikes
      const first = row * width + 1
      let step = 0
      for (let i = 0; i < rejections.length; i++) {
        const passed = Math.floor(((rejections[i] ?? 0) - oldest) / stepMs)
        step = Math.min(Math.max(step, passed), lastStep) // a clock may step back a little
        const bit = step + i
        const word = first + (bit >>> 5)
        words[word] = (words[word] ?? 0) | (1 << bit)
      }
    },
    delete(place) {
      const start = rowOf(place) * width
      chunks[chunkIndex(place)]?.words.fill(0, start, start + width)
    },
  }
}

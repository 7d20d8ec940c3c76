import type { BanPolicy, BanRecord } from './bans.ts'

/** The ban records of an account table, by the places of their accounts. */
export interface BanTable {
  /** Returns the record at a place; undefined where there is none. */
  read(place: number): BanRecord | undefined
  write(place: number, record: BanRecord): void
  delete(place: number): void
}

const rowsPerChunk = 256
/** A row begins with when the ban ends, when its oldest counted rejection was, when its streak began, its last rejection, its strikes. */
const fields = 5
/** Into how many steps the window of a policy is divided. */
const stepsPerWindow = 60

/**
 * Makes an empty table. It stores the time of a counted rejection in steps of a sixtieth of `policy.withinMs`, rounded down.
 * With the default policy a record takes 80 bytes; the exact times of 99 refusals in a minute would take at least 130.
 *
 * Rejection `i` in step `s` (both from 0) is the bit `s + i`, so there are as many bits as steps and rejections (Elias-Fano coding).
 */
export function createBanTable(policy: BanPolicy): BanTable {
  const stepMs = Math.ceil(policy.withinMs / stepsPerWindow)
  const lastStep = Math.ceil(policy.withinMs / stepMs) - 1
  const bits = lastStep + policy.refusals
  /** After its fields, a row holds the bits, 32 in each number. */
  const width = fields + Math.ceil(bits / 32)
  const chunks: (Float64Array | undefined)[] = []

  const chunkIndex = (place: number) => Math.floor(place / rowsPerChunk)
  const startOf = (place: number) => (place % rowsPerChunk) * width

  return {
    read(place) {
      const start = startOf(place)
      const chunk = chunks[chunkIndex(place)]
      if (!chunk) return undefined // nearly always: to read an empty row would take a sixth of a list in core
      const row = chunk.subarray(start, start + width)
      const [until = 0, oldest = 0, streakAt = 0, rejectedAt = 0, strikes = 0] = row
      const rejections: number[] = []
      for (let bit = 0; bit < bits; bit++) {
        const isSet = (row[fields + (bit >>> 5)] ?? 0) & (1 << bit)
        if (isSet) rejections.push(oldest + (bit - rejections.length) * stepMs)
      }
      return strikes || rejections.length ? { rejections, until, strikes, streakAt, rejectedAt } : undefined
    },
    write(place, { rejections, until, strikes, streakAt, rejectedAt }) {
      const oldest = Math.floor(rejections[0] ?? 0)
      const row = [until, oldest, streakAt, rejectedAt, strikes, ...new Array<number>(width - fields).fill(0)]
      let step = 0
      for (let i = 0; i < rejections.length; i++) {
        const passed = Math.floor(((rejections[i] ?? 0) - oldest) / stepMs)
        step = Math.min(Math.max(step, passed), lastStep) // a clock may step back a little
        const bit = step + i
        const word = fields + (bit >>> 5)
        row[word] = (row[word] ?? 0) | (1 << bit)
      }
      chunks[chunkIndex(place)] ??= new Float64Array(rowsPerChunk * width)
      chunks[chunkIndex(place)]?.set(row, startOf(place))
    },
    delete(place) {
      chunks[chunkIndex(place)]?.fill(0, startOf(place), startOf(place) + width)
    },
  }
}

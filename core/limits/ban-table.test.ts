import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { holds } from '../testing/holds.ts'
import { epoch } from '../testing/traffic.ts'
import { createBanTable } from './ban-table.ts'
import { type BanPolicy, type BanRecord, defaultBanPolicy } from './bans.ts'

/** Writes a record, and returns what the table reads back. */
function stored(record: BanRecord, policy: BanPolicy = defaultBanPolicy): BanRecord | undefined {
  const table = createBanTable(policy)
  table.write(0, record)
  return table.read(0)
}

const none: BanRecord = { rejections: [], until: 0, strikes: 0, streakAt: 0, rejectedAt: 0 }

const somePolicy: fc.Arbitrary<BanPolicy> = fc
  .record({
    refusals: fc.oneof(fc.integer({ min: 1, max: 200 }), fc.constant(100)),
    withinMs: fc.oneof(fc.integer({ min: 1, max: 200_000 }), fc.constant(60_000)),
  })
  .map((parts) => ({ ...defaultBanPolicy, ...parts }))

/** A record as `countRejections` leaves it: fewer rejections than begin a ban, oldest first, all within the window. */
const someRecord = somePolicy.chain((policy) =>
  fc
    .record({
      rejections: fc
        .array(fc.nat(policy.withinMs - 1), { maxLength: policy.refusals - 1, size: 'max' })
        .map((gaps) => gaps.sort((a, b) => a - b).map((gap) => epoch + gap)),
      until: fc.nat(2 ** 40),
      strikes: fc.integer({ min: 1, max: 100 }),
      streakAt: fc.nat(2 ** 42),
      rejectedAt: fc.nat(2 ** 42),
    })
    .map((record) => ({ policy, record })),
)

describe('the table of ban records', () => {
  it('has none at a place where none was written', () => {
    const table = createBanTable(defaultBanPolicy)
    assert.equal(table.read(5), undefined)
    table.write(5, { ...none, rejections: [epoch] })
    assert.equal(table.read(4), undefined)
    assert.equal(table.read(5_000), undefined)
  })

  it('has none at a place whose record was deleted', () => {
    const table = createBanTable(defaultBanPolicy)
    table.write(7, { ...none, rejections: [epoch, epoch], until: epoch, strikes: 3 })
    table.delete(7)
    table.delete(8)
    assert.equal(table.read(7), undefined)
  })

  it('distinguishes the records of different places', () => {
    const table = createBanTable(defaultBanPolicy)
    const records = Array.from({ length: 1_000 }, (_, i) => ({
      rejections: new Array<number>(i % 100).fill(epoch + i),
      until: epoch + i,
      strikes: i + 1,
      streakAt: epoch - i,
      rejectedAt: epoch + 2 * i,
    }))
    for (const [place, record] of records.entries()) table.write(place, record)
    for (const [place, record] of records.entries()) assert.deepEqual(table.read(place), record)
  })

  it('returns every counted rejection, by less than a sixtieth of the window too early', () => {
    holds(
      fc.property(someRecord, ({ policy, record }) => {
        const read = stored(record, policy)
        assert.deepEqual({ ...read, rejections: [] }, { ...record, rejections: [] })
        assert.equal(read?.rejections.length, record.rejections.length)
        for (const [i, time] of record.rejections.entries()) {
          const early = time - (read?.rejections[i] ?? Number.NaN)
          assert.ok(early >= 0 && early < Math.ceil(policy.withinMs / 60), `${early} ms`)
        }
      }),
      1_000,
    )
  })

  it('changes nothing more when what it returned is written again, also without the oldest rejections', () => {
    holds(
      fc.property(someRecord, fc.nat(200), ({ policy, record }, dropped) => {
        const once = stored(record, policy)
        const rest = once && { ...once, rejections: once.rejections.slice(dropped) }
        assert.deepEqual(rest && stored(rest, policy), rest)
      }),
      1_000,
    )
  })

  it('returns as many rejections when the clock has stepped back between them, or counts in fractions', () => {
    const times = [0, 59_999, 58_000, 57_000.5, 61_500, 61_999].map((ms) => epoch + ms)
    assert.equal(stored({ ...none, rejections: times })?.rejections.length, times.length)
  })
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRemovalCheck } from './removals.ts'

/** Returns what a server warns of whose clock shows these times, one after the other. */
function warningsAt(...times: readonly string[]): readonly string[] {
  const warnings: string[] = []
  let now = 0
  const check = createRemovalCheck(
    () => now,
    (message) => warnings.push(message),
  )
  for (const time of times) {
    now = Date.parse(time)
    check()
  }
  return warnings
}

test('there is no warning more than 90 days before a removal', () => {
  assert.deepEqual(warningsAt('2026-11-20T00:00:00Z', '2030-09-05T23:59:59Z'), [])
})

test('a server that starts within 90 days of a removal warns at once, and names what callers must use', () => {
  assert.deepEqual(warningsAt('2030-09-17T00:00:00Z'), [
    'getPet returns 410 from 2030-12-05 on, which is in 79 days: callers must use /pets instead',
  ])
  assert.match(warningsAt('2030-12-04T23:59:59Z').join(), /in 1 day:/)
})

test('a server that runs warns once 90, 30 and 7 days before a removal, and on its day', () => {
  const hours = Array.from({ length: 24 * 120 }, (_, hour) =>
    new Date(Date.parse('2030-08-20T00:30:00Z') + hour * 3_600_000).toISOString(),
  )
  const days = warningsAt(...hours).map((warning) => /in (\d+) days|was removed/.exec(warning)?.[1] ?? 0)
  assert.deepEqual(days, ['90', '30', '7', 0])
})

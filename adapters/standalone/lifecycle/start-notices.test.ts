import assert from 'node:assert/strict'
import { test } from 'node:test'
import { removalWarnings } from './start-notices.ts'

const at = (time: string) => removalWarnings(Date.parse(time))

test('there is no warning more than 90 days before a removal', () => {
  assert.deepEqual(at('2026-11-20T00:00:00Z'), [])
  assert.deepEqual(at('2030-09-05T23:59:59Z'), [])
})

test('the warning within 90 days of a removal names what callers must use', () => {
  assert.deepEqual(at('2030-09-06T00:00:00Z'), [
    'getPet returns 410 from 2030-12-05 on, which is in 90 days: callers must use /pets instead',
  ])
  assert.match(at('2030-12-04T23:59:59Z').join(), /in 1 days/)
})

test('from the day of removal on, the warning says that the operation was removed', () => {
  assert.deepEqual(at('2030-12-05T00:00:00Z'), [
    'getPet was removed on 2030-12-05 and returns 410: callers must use /pets instead',
  ])
})

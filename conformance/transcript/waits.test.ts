import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readHttpDate } from './waits.ts'

const dates: readonly (readonly [text: string, iso: string])[] = [
  ['Thu, 05 Dec 2030 00:00:00 GMT', '2030-12-05T00:00:00.000Z'],
  ['Sunday, 06-Nov-94 08:49:37 GMT', '2094-11-06T08:49:37.000Z'],
  ['Sun Nov  6 08:49:37 1994', '1994-11-06T08:49:37.000Z'],
  ['Sun Nov 6 08:49:37 1994', '1994-11-06T08:49:37.000Z'],
  ['Sun Nov 16 08:49:37 1994', '1994-11-16T08:49:37.000Z'],
  ['Sat, 29 Feb 2028 23:59:60 GMT', '2028-03-01T00:00:00.000Z'],
]

for (const [text, iso] of dates) {
  test(`readHttpDate reads ${text} as ${iso}`, () =>
    assert.equal(new Date(readHttpDate(text) ?? 0).toISOString(), iso))
}

const invalidDates = [
  '',
  '0',
  '2030-12-05',
  '2030-12-05T00:00:00Z',
  'Thu, 5 Dec 2030 00:00:00 GMT',
  'Thu, 05 Dec 2030 00:00:00 UTC',
  'Thu, 05 Dec 2030 00:00:00 +0000',
  'Thu, 05 Dec 2030 24:00:00 GMT',
  'Thu, 31 Nov 2030 00:00:00 GMT',
  'thu, 05 dec 2030 00:00:00 GMT',
]

for (const text of invalidDates) {
  test(`readHttpDate rejects ${JSON.stringify(text)}`, () => assert.equal(readHttpDate(text), undefined))
}

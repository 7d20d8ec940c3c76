import assert from 'node:assert/strict'
import { test } from 'node:test'
import { removalWarnings } from './removals.ts'

for (const [time, warning] of [
  ['2030-09-05T23:59:59Z', /^$/],
  [
    '2030-09-17T00:00:00Z',
    /^getPet returns 410 from 2030-12-05 on, which is in 79 days: callers must use \/pets instead$/,
  ],
  ['2030-12-04T23:59:59Z', /in 1 day:/],
  ['2030-12-05T00:00:00Z', /^getPet was removed on 2030-12-05 and returns 410/],
] as const)
  test(`a server that starts at ${time} warns of the removal of getPet: ${warning}`, () => {
    assert.match(removalWarnings(Date.parse(time)).join(), warning)
  })

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { removalWarnings } from './start-notices.ts'

test('a server warns of the removal of getPet from 90 days before it on', () => {
  const warning = 'getPet returns 410 from 2030-12-05 on: callers must use /pets instead'
  for (const [time, warnings] of [
    ['2030-09-05T23:59:59Z', []],
    ['2030-09-06T00:00:00Z', [warning]],
    ['2030-12-05T00:00:00Z', [warning]],
  ] as const)
    assert.deepEqual(removalWarnings(Date.parse(time)), warnings)
})

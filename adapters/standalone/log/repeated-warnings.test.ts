import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createFaultLog } from './repeated-warnings.ts'

test('a fault that goes on is told at once, then every ten seconds, with how often it came', () => {
  const told: string[] = []
  const tell = (event: string, message: string) => void told.push(`${event}: ${message}`)
  let now = 0
  const faults = createFaultLog({ warning: tell, error: tell }, () => now)
  for (; now < 20_000; now += 1000) faults.error('unavailable', `at ${now}`)
  faults.warning('not-ready', 'of another event')
  assert.deepEqual(told, [
    'unavailable: at 0',
    'unavailable: at 10000 (and 9 more like it before)',
    'not-ready: of another event',
  ])
})

test('a clock that steps back silences nothing', () => {
  const told: string[] = []
  let now = 50_000
  const faults = createFaultLog({ warning: (_, message) => void told.push(message), error() {} }, () => now)
  faults.warning('a', 'before')
  now = 0
  faults.warning('a', 'after')
  assert.deepEqual(told, ['before', 'after'])
})

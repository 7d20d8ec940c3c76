import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createThrottledLog } from './throttled-log.ts'

test('a failure that goes on is logged at once, then every ten seconds, with how often it occurred and its request', () => {
  const lines: string[] = []
  const add = (event: string, message: string, context?: object) =>
    void lines.push(`${event}: ${message}${context ? ` ${JSON.stringify(context)}` : ''}`)
  let now = 50_000
  const log = createThrottledLog({ info: add, warning: add, error: add }, () => now)
  const context = { requestId: 'r1', operation: 'getPet', caller: 'shelter' } as const
  for (let i = 0; i < 20; i++, now += 1000) log.error('unavailable', `after ${i} s`, i ? undefined : context)
  log.warning('not-ready', 'of another event')
  now = 0
  log.warning('not-ready', 'after a step back of the clock')
  log.info('redis', 'back')
  log.info('redis', 'back')
  assert.deepEqual(lines, [
    `unavailable: after 0 s ${JSON.stringify(context)}`,
    'unavailable: after 10 s (and 9 more like it before)',
    'not-ready: of another event',
    'not-ready: after a step back of the clock',
    'redis: back',
    'redis: back',
  ])
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createThrottledLog } from './throttled-log.ts'

/** Returns a throttled log, what it has passed on, and its clock. */
function throttled() {
  const lines: string[] = []
  const add = (event: string, message: string, context?: object) =>
    void lines.push(`${event}: ${message}${context ? ` ${JSON.stringify(context)}` : ''}`)
  const time = { now: 50_000 }
  return { log: createThrottledLog({ info: add, warning: add, error: add }, () => time.now), lines, time }
}

test('a failure that goes on is logged at once, then every ten seconds, with how often it occurred and its request', () => {
  const { log, lines, time } = throttled()
  const context = { requestId: 'r1', operation: 'getPet', caller: 'shelter' } as const
  for (let i = 0; i < 20; i++, time.now += 1000)
    log.error('unavailable', `after ${i} s`, i ? undefined : context)
  log.warning('not-ready', 'of another event')
  assert.deepEqual(lines, [
    `unavailable: after 0 s ${JSON.stringify(context)}`,
    'unavailable: after 10 s (and 9 more like it before)',
    'not-ready: of another event',
  ])
})

test('a clock that steps back silences nothing', () => {
  const { log, lines, time } = throttled()
  log.warning('a', 'before')
  time.now = 0
  log.warning('a', 'after')
  assert.deepEqual(lines, ['a: before', 'a: after'])
})

test('a second failure within ten seconds is told at the latest when it ends, and one that was told is not repeated', () => {
  const { log, lines, time } = throttled()
  for (const [level, message] of [
    ['warning', 'gone'],
    ['warning', 'still gone'],
    ['info', 'back'],
    ['warning', 'gone again'],
    ['info', 'back again'],
  ] as const) {
    log[level]('redis', message)
    time.now += 1000
  }
  assert.deepEqual(lines, ['redis: gone', 'redis: back', 'redis: gone again', 'redis: back again'])
})

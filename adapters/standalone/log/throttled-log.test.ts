import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createThrottledLog } from './throttled-log.ts'

test('a failure that goes on is logged at once, then every ten seconds, with how often it occurred', () => {
  const lines: string[] = []
  const add = (event: string, message: string) => void lines.push(`${event}: ${message}`)
  let now = 0
  const log = createThrottledLog({ info: add, warning: add, error: add }, () => now)
  for (; now < 20_000; now += 1000) log.error('unavailable', `at ${now}`)
  log.warning('not-ready', 'of another event')
  assert.deepEqual(lines, [
    'unavailable: at 0',
    'unavailable: at 10000 (and 9 more like it before)',
    'not-ready: of another event',
  ])
})

test('an error retains the context of its request', () => {
  const contexts: unknown[] = []
  const log = createThrottledLog(
    { info() {}, warning() {}, error: (_event, _message, context) => void contexts.push(context) },
    () => 0,
  )
  const context = { requestId: 'r1', operation: 'getPet', caller: 'shelter' } as const
  log.error('unavailable', 'gone', context)
  assert.deepEqual(contexts, [context])
})

test('a clock that steps back silences nothing', () => {
  const lines: string[] = []
  let now = 50_000
  const log = createThrottledLog(
    { info() {}, warning: (_, message) => void lines.push(message), error() {} },
    () => now,
  )
  log.warning('a', 'before')
  now = 0
  log.warning('a', 'after')
  assert.deepEqual(lines, ['before', 'after'])
})

test('a second failure within ten seconds is told at the latest when it ends, and one that was told is not repeated', () => {
  const lines: string[] = []
  const add = (_event: string, message: string) => void lines.push(message)
  let now = 0
  const log = createThrottledLog({ info: add, warning: add, error: add }, () => now)
  for (const [at, level, message] of [
    [0, 'warning', 'gone'],
    [1_000, 'warning', 'still gone'],
    [2_000, 'info', 'back'],
    [4_000, 'warning', 'gone again'],
    [5_000, 'info', 'back again'],
  ] as const) {
    now = at
    log[level]('redis', message)
  }
  assert.deepEqual(lines, ['gone', 'back', 'gone again', 'back again'])
})

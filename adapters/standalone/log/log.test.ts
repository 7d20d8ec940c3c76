import assert from 'node:assert/strict'
import { Writable } from 'node:stream'
import { describe, it } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { Capture } from '../testing/capture.ts'
import { parseRecords } from '../testing/program.ts'
import { createLog, createThrottledLog, type Log } from './log.ts'
import type { LogFormatName, LoggedResponse } from './log-format.ts'

const time = '2026-11-20T12:00:05.000Z'

const success: LoggedResponse = {
  operation: 'listPets',
  method: 'GET',
  status: 200,
  code: undefined,
  durationMs: 1.23456,
  caller: 'shelter',
  clientAddress: '192.0.2.1',
  requestId: '0388d1ec',
  traceId: undefined,
}

/** A response whose optional members are absent. */
const failure: LoggedResponse = {
  operation: undefined,
  method: undefined,
  status: 400,
  code: 'invalid_request',
  durationMs: 0,
  caller: undefined,
  clientAddress: 'unknown',
  requestId: undefined,
  traceId: undefined,
}

const odd = { ...success, caller: 'a "b"\n{"event":"forged"}\u2028\u009b2J' }
const context = { requestId: '0388d1ec', operation: 'createPet', caller: 'shelter' } as const

/** Creates a stdout that accepts a chunk only when `take` is called. */
function createSlowOutput() {
  const pending: ((error?: Error) => void)[] = []
  const stdout = new Writable({
    write: (_chunk, _encoding, done) => void pending.push(done),
    // A standard stream continues after an error, so the substitute does as well.
    destroy(this: Writable & { _undestroy?(): void }, error, done) {
      done(error)
      this._undestroy?.()
    },
  })
  return { stdout, take: (error?: Error) => pending.shift()?.(error) }
}

/** Logs one line of each kind. */
async function writeLog(format: LogFormatName): Promise<{ stdout: Capture; stderr: Capture }> {
  const [stdout, stderr] = [new Capture(), new Capture()]
  const log: Log = createLog(format, { stdout, stderr }, () => Date.parse(time))
  log.info('keys-read', 'read 2 keys')
  log.warning('memory', 'in memory')
  log.error('failure', 'the store is gone')
  log.error('failure', 'a bug', context)
  log.response?.(success, true)
  log.response?.(failure, false)
  log.response?.(odd, false)
  log.notice('stdout', { level: 'info', event: 'listening', text: 'listening on x', fields: { url: 'x' } })
  await log.flush()
  return { stdout, stderr }
}

describe('the log', () => {
  it('is readable in the pretty format', async () => {
    const { stdout, stderr } = await writeLog('pretty')
    assert.deepEqual(stdout.lines, [
      `${time} read 2 keys`,
      `${time} GET listPets 200 1.23ms shelter 0388d1ec 192.0.2.1`,
      `${time} - - 400 invalid_request 0.00ms - `,
      `${time} GET listPets 200 1.23ms "a \\"b\\"\\n{\\"event\\":\\"forged\\"}\u2028\\u{9b}2J" 0388d1ec`,
      'listening on x',
    ])
    assert.deepEqual(stderr.lines, [
      `${time} warning: in memory`,
      `${time} error: the store is gone`,
      `${time} error: a bug (createPet shelter 0388d1ec)`,
    ])
  })

  it('has one JSON object per line in the json format', async () => {
    const { stdout, stderr } = await writeLog('json')
    const request = {
      time,
      level: 'info',
      event: 'request',
      method: 'GET',
      operation: 'listPets',
      status: 200,
    }
    const ofShelter = { ...request, durationMs: 1.235, caller: 'shelter', requestId: '0388d1ec' }
    assert.deepEqual(parseRecords(stdout), [
      { time, level: 'info', event: 'keys-read', message: 'read 2 keys' },
      { ...ofShelter, address: '192.0.2.1' },
      { time, level: 'info', event: 'request', status: 400, code: 'invalid_request', durationMs: 0 },
      { ...ofShelter, caller: odd.caller },
      { time, level: 'info', event: 'listening', url: 'x' },
    ])
    const error = { time, level: 'error', event: 'failure' }
    assert.deepEqual(parseRecords(stderr), [
      { time, level: 'warning', event: 'memory', message: 'in memory' },
      { ...error, message: 'the store is gone' },
      { ...error, message: 'a bug', requestId: '0388d1ec', operation: 'createPet', caller: 'shelter' },
    ])
  })

  it('contains only errors and notices in the silent format', async () => {
    const { stdout, stderr } = await writeLog('silent')
    assert.deepEqual(stdout.lines, ['listening on x'])
    assert.equal(stderr.lines.length, 2)
  })

  it('reads the client address only to log it', () => {
    const log = createLog('json', { stdout: new Capture(), stderr: new Capture() }, () => 0)
    const unread = Object.defineProperty({ ...success }, 'clientAddress', { get: () => assert.fail() })
    log.response?.(unread, false)
  })

  it('escapes control characters', async () => {
    const text = 'an error\n\tat x \x1b[2J\u009b2J\r\u202e'
    const escaped = 'an error\n\tat x \\u{1b}[2J\\u{9b}2J\\u{d}\\u{202e}'
    const [stdout, stderr] = [new Capture(), new Capture()]
    const log = createLog('pretty', { stdout, stderr }, () => Date.parse(time))
    log.error('failure', text)
    log.notice('stderr', { level: 'error', event: 'defect', text, fields: {} })
    await log.flush()
    assert.equal(stderr.text, `${time} error: ${escaped}\n${escaped}\n`)
  })

  it('writes the lines of 5 ms together', (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] })
    const stdout = new Capture()
    const log = createLog('pretty', { stdout, stderr: new Capture() }, () => Date.parse(time))
    const lengths = ['one', 'two', 'three'].map((line) => {
      log.info('keys-read', line)
      t.mock.timers.tick(4)
      return stdout.lines.length
    })
    t.mock.timers.tick(1)
    assert.deepEqual([...lengths, stdout.lines.length], [0, 2, 2, 3])
  })

  it('counts lost lines, and reports only the first loss', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] })
    const { stdout, take } = createSlowOutput()
    const stderr = new Capture()
    const log = createLog('pretty', { stdout, stderr }, () => 0)
    const write = async (...lines: readonly string[]) => {
      for (const line of lines) log.info('keys-read', line)
      t.mock.timers.tick(5)
      await nextTurn() // the stream calls back
    }
    for (const line of ['x'.repeat(2 ** 20), 'lost', 'lost too']) await write(line)
    assert.equal(log.linesLost, 2)
    take()
    await write('next')
    take()
    for (let i = 0; i < 2; i++) {
      await write('on a full disk', 'still full')
      take(new Error('ENOSPC'))
    }
    await write('unread')
    const flushed = log.flush()
    t.mock.timers.tick(500)
    await flushed // although the reader is stuck
    assert.equal(log.linesLost, 6)
    const reasons = [...stderr.text.matchAll(/log lines on stdout were lost: (.*)/g)]
    assert.deepEqual(
      reasons.map(([, reason]) => reason),
      ['the reader is too slow', 'ENOSPC'],
    )
  })

  it('writes repeated errors at most once per 10 seconds', () => {
    const lines: string[] = []
    const add = (event: string, message: string, context?: object) =>
      void lines.push(`${event}: ${message}${context ? ` ${JSON.stringify(context)}` : ''}`)
    let now = 50_000
    const log = createThrottledLog({ info: add, warning: add, error: add }, () => now)
    for (let i = 0; i < 20; i++, now += 1000)
      log.error('unavailable', `after ${i} s`, i ? undefined : context)
    log.warning('not-ready', 'of another event')
    now = 0
    log.warning('not-ready', 'after a step back of the clock')
    log.info('redis', 'back')
    log.info('redis', 'back')
    assert.deepEqual(lines, [
      `unavailable: after 0 s ${JSON.stringify(context)}`,
      'unavailable: after 10 s (and 9 similar messages before)',
      'not-ready: of another event',
      'not-ready: after a step back of the clock',
      'redis: back',
      'redis: back',
    ])
  })
})

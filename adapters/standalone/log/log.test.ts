import assert from 'node:assert/strict'
import { Writable } from 'node:stream'
import { test } from 'node:test'
import { Capture } from '../testing/capture.ts'
import { recordsOf } from '../testing/program.ts'
import { createLog, type Log } from './log.ts'
import type { LogFormatName, LoggedResponse } from './log-format.ts'

const time = '2026-11-20T12:00:05.000Z'

const success: LoggedResponse = {
  operation: 'listPets',
  method: 'GET',
  status: 200,
  code: undefined,
  durationMs: 1.23456,
  caller: 'shelter',
  client: '192.0.2.1',
  requestId: '0388d1ec',
}

const failure: LoggedResponse = {
  operation: undefined,
  method: undefined,
  status: 400,
  code: 'invalid_request',
  durationMs: 0,
  caller: undefined,
  client: 'unknown',
  requestId: undefined,
}

async function logged(format: LogFormatName, use: (log: Log) => void): Promise<[Capture, Capture]> {
  const [stdout, stderr] = [new Capture(), new Capture()]
  const log = createLog(format, { stdout, stderr }, () => Date.parse(time))
  use(log)
  await log.flush()
  return [stdout, stderr]
}

function everything(log: Log): void {
  log.info('keys-read', 'read 2 keys')
  log.warning('memory', 'in memory')
  log.error('failure', 'the store is gone')
  log.response?.(success, false)
  log.notice('stdout', { level: 'info', event: 'listening', text: 'listening on x', fields: { url: 'x' } })
}

test('a pretty log has a line for each event, warnings and errors on stderr', async () => {
  const [stdout, stderr] = await logged('pretty', everything)
  assert.deepEqual(stdout.lines, [
    `${time} read 2 keys`,
    `${time} GET listPets 200 1.23ms shelter 0388d1ec`,
    'listening on x',
  ])
  assert.deepEqual(stderr.lines, [`${time} warning: in memory`, `${time} error: the store is gone`])
})

test('a JSON log has an object for each event', async () => {
  const [stdout, stderr] = await logged('json', everything)
  assert.deepEqual(recordsOf(stdout), [
    { time, level: 'info', event: 'keys-read', message: 'read 2 keys' },
    {
      time,
      level: 'info',
      event: 'request',
      method: 'GET',
      operation: 'listPets',
      status: 200,
      durationMs: 1.235,
      keyId: 'shelter',
      requestId: '0388d1ec',
    },
    { time, level: 'info', event: 'listening', url: 'x' },
  ])
  assert.deepEqual(recordsOf(stderr), [
    { time, level: 'warning', event: 'memory', message: 'in memory' },
    { time, level: 'error', event: 'failure', message: 'the store is gone' },
  ])
})

test('a silent log has only errors and notices', async () => {
  const [stdout, stderr] = await logged('silent', everything)
  assert.deepEqual(stdout.lines, ['listening on x'])
  assert.deepEqual(stderr.lines, [`${time} error: the store is gone`])
})

test('the line of a request that could not be parsed has the code of its error', async () => {
  const [json] = await logged('json', (log) => log.response?.(failure, false))
  assert.deepEqual(recordsOf(json), [
    { time, level: 'info', event: 'request', status: 400, code: 'invalid_request', durationMs: 0 },
  ])
  const [pretty] = await logged('pretty', (log) => log.response?.(failure, false))
  assert.deepEqual(pretty.lines, [`${time} - - 400 invalid_request 0.00ms - `])
})

test('a line has the client address on request, and else does not read it', async () => {
  const unread = {
    ...success,
    get client(): string {
      throw new Error('the address is read')
    },
  }
  const use = (log: Log) => {
    log.response?.(success, true)
    log.response?.(unread, false)
  }
  const [json] = await logged('json', use)
  assert.deepEqual(
    recordsOf(json).map(({ address }) => address),
    ['192.0.2.1', undefined],
  )
  const [pretty] = await logged('pretty', use)
  const line = `${time} GET listPets 200 1.23ms shelter 0388d1ec`
  assert.deepEqual(pretty.lines, [`${line} 192.0.2.1`, line])
})

test('a pretty line of a failure names its request', async () => {
  const context = { requestId: '0388d1ec', operation: 'createPet', caller: 'shelter' } as const
  const [, pretty] = await logged('pretty', (log) => log.error('failure', 'a bug', context))
  assert.deepEqual(pretty.lines, [`${time} error: a bug (createPet shelter 0388d1ec)`])
})

test('lines that are lost on stdout are reported on stderr, and counted', async () => {
  const [stdout, stderr] = [
    new Writable({ write: (_c, _e, done) => done(new Error('ENOSPC')) }),
    new Capture(),
  ]
  const log = createLog('json', { stdout, stderr }, () => Date.parse(time))
  log.response?.(success, false)
  await log.flush()
  await log.flush()
  assert.equal(log.linesLost, 1)
  assert.deepEqual(recordsOf(stderr), [
    { time, level: 'warning', event: 'log-lost', message: 'lines of the log on stdout are lost: ENOSPC' },
  ])
})

test("no key's id can break a line or forge another", async () => {
  const odd = { ...success, caller: 'a "b"\n{"event":"forged"}\u2028' }
  const [json] = await logged('json', (log) => log.response?.(odd, false))
  assert.deepEqual(
    recordsOf(json).map(({ keyId }) => keyId),
    [odd.caller],
  )
  const [pretty] = await logged('pretty', (log) => log.response?.(odd, false))
  assert.equal(pretty.lines.length, 1)
})

test('a pretty log sends a terminal no control character, and retains the lines of a stack', async () => {
  const text = 'an error\n\tat x \x1b[2J\u009b2J\r\u202e'
  const escaped = 'an error\n\tat x \\u{1b}[2J\\u{9b}2J\\u{d}\\u{202e}'
  const [stdout, stderr] = await logged('pretty', (log) => {
    log.error('failure', text)
    log.notice('stderr', { level: 'error', event: 'defect', text, fields: {} })
    log.response?.({ ...success, caller: 'a\u009b2J' }, false)
  })
  assert.equal(stderr.text, `${time} error: ${escaped}\n${escaped}\n`)
  assert.match(stdout.text, / "a\\u\{9b\}2J" /)
})

import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import { test } from 'node:test'
import { createLog } from '../log/log.ts'
import { Capture } from '../testing/capture.ts'
import { untilStopped } from './stop.ts'

test('a drain that cuts something off is a failure that is told', async () => {
  const events = new EventEmitter()
  const stderr = new Capture()
  const log = createLog('silent', { stdout: new Capture(), stderr }, () => 0)
  const drain = { begun: false, watch: () => assert.fail(), begin: () => Promise.resolve(2) }
  const exitCode = untilStopped(events, drain, log)
  events.emit('SIGTERM')
  assert.equal(await exitCode, 1)
  await log.flush()
  assert.match(stderr.text, /error: 2 connections were still busy at the deadline and were cut off\n$/)
})

import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import { test } from 'node:test'
import { ConnectionsCutOff, type PetServer } from '../../node-http.ts'
import { createLog } from '../log/log.ts'
import { Capture } from '../testing/capture.ts'
import { untilStopped } from './stop.ts'

test('a stop that cuts connections off is a failure, and the log names it', async () => {
  const events = new EventEmitter()
  const stderr = new Capture()
  const log = createLog('silent', { stdout: new Capture(), stderr }, () => 0)
  const server = {
    isClosing: false,
    close(callback?: (error?: Error) => void) {
      callback?.(new ConnectionsCutOff(2))
      return this as PetServer // untilStopped does not use it
    },
  }
  const exitCode = untilStopped(events, server, log)
  events.emit('SIGTERM')
  assert.equal(await exitCode, 1)
  await log.flush()
  assert.match(stderr.text, /error: 2 connections were still busy at the deadline and were cut off\n$/)
})

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { EventEmitter } from 'node:events'
import { test } from 'node:test'
import type { PetServer } from '../../node-http/index.ts'
import { lacks } from '../../testing/machine.ts'
import { createLog } from '../log/log.ts'
import { Capture } from '../testing/capture.ts'
import { main } from '../testing/launch.ts'
import { untilStopped } from './stop.ts'

test('a stop that cuts connections off returns 1 and is logged', async () => {
  const [events, stderr] = [new EventEmitter(), new Capture()]
  const log = createLog('silent', { stdout: new Capture(), stderr }, () => 0)
  const server: Pick<PetServer, 'isClosing' | 'close'> = {
    isClosing: false,
    close(callback) {
      callback?.(new Error('2 connections were cut off'))
      return this as PetServer // nothing uses it
    },
  }
  const exitCode = untilStopped(events, server, log)
  events.emit('SIGTERM')
  assert.equal(await exitCode, 1)
  await log.flush()
  assert.match(stderr.text, /error: 2 connections were cut off\n$/)
})

test('stops when the npm that started it stops', { skip: lacks.signals }, async () => {
  // npm starts a shell, which has more to do, and does not pass the signal on.
  const line = `"${process.execPath}" "${main}" --memory --port 0 --log json; true`
  const shell = spawn('/bin/sh', ['-c', line], { env: { ...process.env, npm_lifecycle_event: 'start' } })
  const stdout = shell.stdout.pipe(new Capture())
  await stdout.until(/"listening"/)
  shell.kill('SIGTERM')
  await stdout.until(/"stopped"/)
})

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { EventEmitter } from 'node:events'
import { test } from 'node:test'
import type { PetServer } from '../../node-http/index.ts'
import { missingFeatures } from '../../testing/machine.ts'
import { createLog } from '../log/log.ts'
import { Capture } from '../testing/capture.ts'
import { mainFile } from '../testing/launch.ts'
import { waitUntilStopped } from './stop.ts'

test('a shutdown that ran out of time exits with 1', async () => {
  const [events, stderr] = [new EventEmitter(), new Capture()]
  const log = createLog('silent', { stdout: new Capture(), stderr }, () => 0)
  const server: Pick<PetServer, 'isClosing' | 'close'> = {
    isClosing: false,
    close(callback) {
      callback?.(new Error('2 connections were cut off'))
      return this as PetServer // the return value is not used
    },
  }
  const exitCode = waitUntilStopped(events, server, log)
  events.emit('SIGTERM')
  assert.equal(await exitCode, 1)
  await log.flush()
  assert.match(stderr.text, /error: 2 connections were cut off\n$/)
})

test('a server started by npm stops when npm exits', { skip: missingFeatures.signals }, async () => {
  // `; true` keeps the shell from replacing itself with the program.
  const line = `"${process.execPath}" "${mainFile}" --memory --port 0 --log json; true`
  const shell = spawn('/bin/sh', ['-c', line], { env: { ...process.env, npm_lifecycle_event: 'start' } })
  const stdout = shell.stdout.pipe(new Capture())
  await stdout.until(/"listening"/)
  shell.kill('SIGTERM')
  await stdout.until(/"stopped"/)
})

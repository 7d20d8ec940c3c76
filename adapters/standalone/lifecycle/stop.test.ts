import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { EventEmitter, once } from 'node:events'
import { test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { freePort } from '../../contracts/testing/free-port.ts'
import { ConnectionsCutOff, type PetServer } from '../../node-http.ts'
import { createLog } from '../log/log.ts'
import { Capture } from '../testing/capture.ts'
import { launch, main } from '../testing/launch.ts'
import { untilStopped } from './stop.ts'

test('a stop that cuts connections off is a failure, and the log names it', async () => {
  const [events, stderr] = [new EventEmitter(), new Capture()]
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

test('a server whose npm is killed ends, and its port is free', {
  skip: process.platform !== 'linux' && 'this system does not show who started a parent',
}, async () => {
  const port = await freePort()
  const command = `"${process.execPath}" "${main}" --memory --port ${port}; true` // in a shell of its own, as npm starts it
  const npm = spawn('/bin/sh', ['-c', `/bin/sh -c '${command}' & wait`], {
    env: { ...process.env, npm_lifecycle_event: 'start' },
  })
  let output = ''
  npm.stdout.on('data', (data) => (output += data))
  while (!output.includes('listening on')) await once(npm.stdout, 'data')
  npm.kill('SIGKILL')
  for (let listens = false; !listens; await setTimeout(200)) {
    const { stdout } = launch(`--memory --port ${port}`)
    listens = await stdout.until(/listening on/).then(Boolean, () => false)
  }
})

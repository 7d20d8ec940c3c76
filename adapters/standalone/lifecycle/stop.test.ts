import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { EventEmitter, once } from 'node:events'
import { test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { freePort } from '../../contracts/testing/free-port.ts'
import { ConnectionsCutOff, type PetServer } from '../../node-http.ts'
import { createLog } from '../log/log.ts'
import { Capture } from '../testing/capture.ts'
import { launch } from '../testing/launch.ts'
import { untilStopped, watchParent } from './stop.ts'

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

const ofNpm = { npm_lifecycle_event: 'start' }

test('a server that npm started notices once that its parents are others', async () => {
  const lines = ['7 6', '7 6', '7 1', '1 0']
  const reasons: string[] = []
  const end = watchParent(
    ofNpm,
    (reason) => reasons.push(reason),
    () => lines.shift() ?? '1 0',
  )
  while (reasons.length === 0) await setTimeout(50)
  end()
  assert.deepEqual([reasons, lines], [['npm has ended'], ['1 0']])
})

test('a server that npm did not start does not look for its parents', () => {
  watchParent({}, assert.fail, () => assert.fail())()
})

test('a server whose npm is killed ends, and its port is free', {
  skip: process.platform !== 'linux' && 'this system does not show who started a parent',
}, async () => {
  const port = await freePort()
  const main = fileURLToPath(new URL('../main.ts', import.meta.url))
  const command = `"${process.execPath}" --import tsx "${main}" --memory --port ${port}; true`
  const shell = spawn('/bin/sh', ['-c', `/bin/sh -c '${command}' & wait`], {
    env: { ...process.env, ...ofNpm },
  })
  let output = ''
  shell.stdout.on('data', (data) => (output += data))
  while (!output.includes('listening on')) await once(shell.stdout, 'data')
  shell.kill('SIGKILL')
  for (;;) {
    const again = launch(`--memory --port ${port}`)
    const listens = await again.stdout.until(/listening on/).then(
      () => true,
      () => false,
    )
    if (listens) break
    await setTimeout(200)
  }
})

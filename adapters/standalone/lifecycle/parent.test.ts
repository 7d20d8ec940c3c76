import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { freePort } from '../../contracts/testing/free-port.ts'
import { launch } from '../testing/launch.ts'
import { watchParent } from './parent.ts'

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
  skip: process.platform !== 'linux',
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

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { run } from './testing/command.ts'
import { parseRecords, start } from './testing/program.ts'

test('--help and --version print to stdout', async () => {
  assert.match(await run('--help'), /pet-adoption-service \[serve\] \[flags\]/)
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'))
  assert.equal(await run('--version'), `${version}\n`)
})

test('a usage mistake is one record in the JSON log', async () => {
  const { stderr, exitCode } = start('--prot 81', { env: { PET_ADOPTION_LOG: 'json' } })
  assert.equal(await exitCode, 2)
  const [{ time, message, ...record } = {}, ...others] = parseRecords(stderr)
  assert.ok(time)
  assert.match(String(message), /^unknown option "--prot"; expected one of host, /)
  assert.deepEqual([record, others], [{ level: 'error', event: 'usage' }, []])
})

test('an uncaught exception exits with 70', async () => {
  const { stderr, events, exitCode } = start('--port 0 --log json --memory')
  await stderr.until(/"event":"key"/)
  events.emit('warning', new Error('something is experimental'))
  events.emit('uncaughtException', new Error('a bug'))
  assert.equal(await exitCode, 70)
  assert.deepEqual(
    parseRecords(stderr).map(({ event }) => event),
    ['key', 'node', 'defect'],
  )
  assert.match(String(parseRecords(stderr).at(-1)?.message), /please report it: Error: a bug\n +at /)
  events.emit('SIGTERM')
})

test('a denied permission is reported without a stack', async () => {
  for (const denial of [
    { code: 'ERR_ACCESS_DENIED', resource: '/animals', message: 'Use --allow-fs-read' },
    { name: 'NotCapable', message: 'Requires read access to "/animals"' },
  ]) {
    const env = {
      get PET_ADOPTION_LOG(): string {
        throw Object.assign(new Error(denial.message), denial)
      },
    }
    assert.match(await run('--version', { env }), /^\d/) // the environment is not needed
    const { stderr, exitCode } = start('--data animals.sqlite', { env })
    assert.equal(await exitCode, 1)
    assert.match(stderr.text, /^pet-adoption-service: the runtime denied a permission: .*\/animals/)
  }
})

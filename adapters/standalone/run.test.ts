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

test('a mistake is one object on stderr if the log is in JSON', async () => {
  const { stderr, exitCode } = start('--prot 81', { env: { PET_ADOPTION_LOG: 'json' } })
  assert.equal(await exitCode, 2)
  const [{ time, ...record } = {}, ...others] = parseRecords(stderr)
  assert.ok(time)
  const message = 'unknown flag --prot: --help lists all flags'
  assert.deepEqual([record, others], [{ level: 'error', event: 'usage', message }, []])
})

test("logs Node's warnings, and an uncaught exception with its stack", async () => {
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

import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { createKeyStore, type KeyRecord } from '../../core/index.ts'
import { recordsOf, start } from './testing/program.ts'

test('--help and --version print to stdout', async () => {
  const help = start('--help')
  assert.equal(await help.exitCode, 0)
  assert.match(help.stdout.text, /pet-adoption-service \[serve\] \[flags\]/)
  const version = start('--version')
  assert.equal(await version.exitCode, 0)
  const { version: published } = JSON.parse(readFileSync('package.json', 'utf8'))
  assert.equal(version.stdout.text, `${published}\n`)
  assert.equal(help.stderr.text + version.stderr.text, '')
})

test('a misuse is one line on stderr, and exit code 2', async () => {
  const { stdout, stderr, exitCode } = start('--prot 81')
  assert.equal(await exitCode, 2)
  assert.equal(stderr.text, 'pet-adoption-service: unknown flag --prot: --help lists all flags\n')
  assert.equal(stdout.text, '')
})

test('the message of a misuse is JSON where the log is', async () => {
  const { stderr, exitCode } = start('--prot 81', { env: { PET_ADOPTION_LOG: 'json' } })
  assert.equal(await exitCode, 2)
  const [{ time, ...record } = {}] = recordsOf(stderr)
  assert.ok(time)
  assert.deepEqual(record, {
    level: 'error',
    event: 'usage',
    message: 'unknown flag --prot: --help lists all flags',
  })
})

for (const [flag, env] of [
  ['--postgres postgres://me:secret@127.0.0.1:1/db', { DATABASE_URL: 'postgres://me:secret@127.0.0.1:1/db' }],
  ['--redis nothing:secret', { REDIS_URL: 'nothing:secret' }],
  ['--data /nowhere/animals.sqlite', { PET_ADOPTION_DATA: '/nowhere/animals.sqlite' }],
] as const) {
  test(`a part that cannot be opened stops the start in one line: ${flag.split(' ')[0]}`, async () => {
    for (const { stdout, stderr, exitCode } of [start(flag), start('', { env })]) {
      assert.equal(await exitCode, 1)
      assert.match(stderr.text, /^pet-adoption-service: .+\n$/)
      assert.doesNotMatch(stdout.text + stderr.text, /secret/)
    }
  })
}

test('an uncaught exception is a defect, logged with its stack', async () => {
  const { stderr, events, exitCode } = start('--port 0 --log json')
  await stderr.until(/"event":"key"/)
  events.emit('uncaughtException', new Error('a bug'))
  assert.equal(await exitCode, 70)
  const { event, message } = recordsOf(stderr).at(-1) ?? {}
  assert.equal(event, 'defect')
  assert.match(String(message), /please report it: Error: a bug\n +at /)
  events.emit('SIGTERM')
})

test("Node's warnings become lines of the log", async () => {
  const { stderr, events, exitCode } = start('--port 0 --log json --memory')
  await stderr.until(/"event":"key"/)
  events.emit('warning', new Error('something is experimental'))
  events.emit('SIGTERM')
  assert.equal(await exitCode, 0)
  assert.deepEqual(
    recordsOf(stderr).map(({ event }) => event),
    ['key', 'node'],
  )
})

test('keygen shows a new key once, and the record that makes it valid', async () => {
  const line = 'keygen --id shelter --plan enterprise --minute 5 --day 50'
  const [{ stdout, stderr, exitCode }, other] = [start(line), start(line)]
  assert.deepEqual([await exitCode, await other.exitCode], [0, 0])
  assert.equal(stderr.text, '')
  const [key = '', ...others] = stdout.text.match(/\bpas_[\w-]{43}\b/g) ?? []
  assert.deepEqual(others, [])
  const record: KeyRecord = JSON.parse(stdout.lines.find((line) => line.startsWith('{')) ?? '')
  assert.deepEqual(record, {
    id: 'shelter',
    sha256: createHash('sha256').update(key).digest('hex'),
    plan: 'enterprise',
    limits: { minute: 5, day: 50 },
  })
  assert.ok(createKeyStore([record]).find(key))
  assert.ok(!other.stdout.text.includes(key))
})

for (const [line, message] of [
  ['keygen --plan free', '--id is missing: give --id NAME, which names the caller of the key'],
  ['keygen --id x', '--plan is missing: give free, pro, business or enterprise'],
] as const) {
  test(`keygen rejects an incomplete command line: ${line}`, async () => {
    const { stdout, stderr, exitCode } = start(line)
    assert.equal(await exitCode, 2)
    assert.deepEqual([stdout.text, stderr.text], ['', `pet-adoption-service: ${message}\n`])
  })
}

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  exitCode,
  judge,
  type Report,
  readTranscript,
  record,
  type Transcript,
  writeTranscript,
} from '../index.ts'
import type { TestServer } from '../network/testing/servers.ts'
import { createDeployment } from './deployment.ts'
import { serveUnreadBodies } from './unusual-http.ts'
import { createClock, mainKey, throttleKey } from './world.ts'

const clock = createClock('2026-11-20T12:00:05Z')
let server: TestServer
let transcript: Transcript
let report: Report
before(async () => {
  server = await serveUnreadBodies(createDeployment(clock))
  transcript = await record({ baseUrl: server.baseUrl, key: mainKey, throttleKey, profile: 'all', clock })
  report = judge(transcript)
})
after(() => server.close())

test('a deployment that leaves a body unread is accused of nothing', () => {
  const accused = report.rules.filter(({ verdict }) => verdict === 'fail' || verdict === 'warn')
  assert.deepEqual(accused, [])
  assert.equal(exitCode(report), 0)
})

test('the report names the exchange that left its connection unusable, and the one that met the remains', () => {
  const [note, ...others] = report.notes
  assert.deepEqual(others, [])
  assert.equal(note?.kind, 'connection')
  assert.equal(note?.exchanges[0], 'create-text-plain')
  assert.match(
    note?.message ?? '',
    /^the connection was left unusable by create-text-plain: GET .* returned 400; sent once more on a new connection, it returned 200/,
  )
})

test('the transcript has both responses, and judging it again names the same exchange', () => {
  const met = transcript.exchanges.filter(({ attempts }) => attempts !== undefined)
  assert.equal(met.length, 1)
  const [{ attempts = [], outcome } = assert.fail()] = met
  assert.deepEqual(
    attempts.map(({ reason, after, outcome }) => [
      reason,
      after,
      outcome.kind === 'response' && outcome.response.status,
    ]),
    [['unexpected', 'create-text-plain', 400]],
  )
  assert.ok(outcome.kind === 'response' && outcome.response.status === 200)
  assert.equal(report.requests, transcript.exchanges.length + 1)
  assert.deepEqual(judge(readTranscript(writeTranscript(transcript))), report)
})

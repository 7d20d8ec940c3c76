import assert from 'node:assert/strict'
import { test } from 'node:test'
import { exitCode, judge, readTranscript, record, runConformance, writeTranscript } from '../index.ts'
import { idsOf, trialOptions } from './trial.ts'
import { serveHttp10, serveUnreadBodies } from './unusual-http.ts'

test('HTTP: a deployment behind HTTP/1.0, with headers in lower case and bodies without a length, fails no rule', async () => {
  const options = trialOptions({ does: 'responds over HTTP/1.0' }, 'all')
  const { baseUrl, close } = await serveHttp10(options.fetch)
  try {
    const report = await runConformance({ ...options, baseUrl, fetch })
    assert.deepEqual(idsOf(report, 'fail', 'warn', 'inconclusive'), [])
  } finally {
    await close()
  }
})

test('a deployment that leaves a body unread is accused of nothing, and the report names the exchange that left it', async () => {
  const options = trialOptions({ does: 'leaves bodies unread' }, 'all')
  const { baseUrl, close } = await serveUnreadBodies(options.fetch)
  const { fetch: _, ...run } = options
  const transcript = await record({ ...run, baseUrl }).finally(close)
  const report = judge(transcript)
  assert.deepEqual(idsOf(report, 'fail', 'warn'), [])
  assert.equal(exitCode(report), 0)

  const [note, ...others] = report.notes
  assert.deepEqual([note?.kind, note?.exchanges[0], others], ['connection', 'create-text-plain', []])
  assert.match(
    note?.message ?? '',
    /^the connection was left unusable by create-text-plain: GET .* returned 400; sent once more on a new connection, it returned 200/,
  )

  // the transcript has what came first, and judging it again names the same exchange
  const met = transcript.exchanges.filter(({ times }) => times !== undefined)
  assert.deepEqual(
    met.map(({ remains, times }) => [remains, times]),
    [['400', 2]],
  )
  assert.equal(report.requests, transcript.exchanges.length + 1)
  assert.deepEqual(judge(readTranscript(writeTranscript(transcript))), report)
})

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { createClock } from '../sabotage/clock.ts'
import { createDeployment } from '../sabotage/deployment.ts'
import { base, folder, program } from './testing/program.ts'

test('an interrupted run completes its request, writes the reports and lists what it created, and exits with 130', async () => {
  const [report, transcript] = ['report.json', 'transcript.json'].map((name) => join(folder, name))
  const { code, out, err, requests } = await program(
    [base, '--profile=create', '--format', `json=${report}`, '--save-transcript', transcript ?? ''],
    { interruptAt: 5 },
  )
  const { endedEarly, created, exchanges } = JSON.parse(readFileSync(report ?? '', 'utf8'))
  assert.equal(code, 130)
  assert.equal(requests.length, 5)
  assert.equal(exchanges.length, 5)
  assert.equal(endedEarly, 'it was interrupted: run it again')
  assert.equal(JSON.parse(readFileSync(transcript ?? '', 'utf8')).exchanges.length, 5)
  assert.equal(created.length, 3)
  assert.match(err, /interrupted: the request under way is completed; interrupt again to end at once\n/)
  assert.match(
    err,
    /the run created 3 animals at http:\/\/reference\.test\/v1:\n(?: {2}\d+ {2}Test[a-z]{4} [^\n]+\n){3}$/,
  )
  assert.match(out, /The run ended early: it was interrupted: run it again/)
})

test('an interrupt ends a wait at once', async () => {
  let sent = 0
  const reference = createDeployment(createClock('2026-11-20T12:00:05Z'))
  const handler = (request: Request): Response | Promise<Response> => {
    sent += 1
    if (sent < 3) return reference(request)
    return Response.json(
      { code: 'slow', message: 'Slow down.', status: 429 },
      { status: 429, headers: { 'retry-after': '60' } },
    )
  }
  const { code, requests } = await program([base], { handler, interruptAt: 3 })
  assert.deepEqual([code, requests.length], [130, 3])
})

test('a run of which the last request is interrupted exits with 130 as well', async () => {
  const { requests } = await program([base])
  const { code } = await program([base], { interruptAt: requests.length })
  assert.equal(code, 130)
})

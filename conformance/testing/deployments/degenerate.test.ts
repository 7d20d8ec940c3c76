import assert from 'node:assert/strict'
import { test } from 'node:test'
import { exitCode, type Report, runConformance } from '../../index.ts'
import { mostRepeats } from '../../run/surprises.ts'
import { degenerate, degenerateSockets, type Expected, listen } from './degenerate.ts'
import { inOrder, listIds } from './trial.ts'
import { createClock, mainKey, throttleKey } from './world.ts'

const run = {
  key: mainKey,
  throttleKey,
  profile: 'all',
  clock: createClock('2026-11-20T12:00:05Z'),
} as const

/** Maximum number of requests of a run whose burn ends with its first request. */
const mostRequests = 95

/** Maximum number of bytes that a server can send for one request: what the suite reads, and what the buffers hold. */
const maxBytesPerRequest = 6_000_000

function check(report: Report, { passes, exit }: Expected): void {
  assert.deepEqual(listIds(report, 'pass'), inOrder(passes))
  assert.equal(exitCode(report), exit)
  assert.ok(report.requests <= mostRequests + mostRepeats, `${report.requests} requests were sent`)
}

for (const server of degenerate) {
  test(`a server that always ${server.does} passes only the rules that hold`, async () => {
    check(await runConformance({ ...run, baseUrl: 'http://a.test/v1', fetch: server.handler }), server)
  })
}

for (const server of degenerateSockets) {
  test(`a server that ${server.does} passes only the rules that hold`, { timeout: 20_000 }, async () => {
    const listening = await listen(server)
    try {
      const timeoutMs = server.hangs ? 40 : 5000
      const report = await runConformance({ ...run, baseUrl: listening.baseUrl, timeoutMs })
      check(report, server)
      assert.ok(
        listening.requests() <= report.requests,
        'no redirect is followed, and every request is counted',
      )
      assert.ok(
        listening.bytesSent() < maxBytesPerRequest * report.requests,
        `${listening.bytesSent()} bytes were sent for ${report.requests} requests`,
      )
    } finally {
      await listening.close()
    }
  })
}

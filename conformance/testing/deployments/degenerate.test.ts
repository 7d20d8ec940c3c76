import assert from 'node:assert/strict'
import { test } from 'node:test'
import { exitCode, type Report, runConformance } from '../../index.ts'
import { degenerateServers, degenerateSockets, type ExpectedResult, listenOnSocket } from './degenerate.ts'
import { listIds, sortIds } from './trial.ts'
import { createClock, mainKey, throttleKey } from './world.ts'

const runOptions = {
  apiKey: mainKey,
  throttleKey,
  profile: 'all',
  clock: createClock('2026-11-20T12:00:05Z'),
} as const

/** Maximum number of requests for a run that reaches no limit. */
const maxRequests = 95

/** Maximum number of bytes that the server sends per request: what the suite reads, and what the sockets buffer. */
const maxBytesPerRequest = 6_000_000

function checkReport(report: Report, { passes, exit }: ExpectedResult): void {
  assert.deepEqual(listIds(report, 'pass'), sortIds(passes))
  assert.equal(exitCode(report), exit)
  assert.ok(report.requests <= maxRequests, `${report.requests} requests were sent`)
}

for (const server of degenerateServers) {
  test(`judges a server that ${server.does}`, async () => {
    checkReport(
      await runConformance({ ...runOptions, baseUrl: 'http://a.test/v1', fetch: server.handler }),
      server,
    )
  })
}

for (const server of degenerateSockets) {
  test(`judges a server over TCP that ${server.does}`, { timeout: 20_000 }, async () => {
    const listeningServer = await listenOnSocket(server)
    try {
      const timeoutMs = server.hangs ? 40 : 5000
      const report = await runConformance({ ...runOptions, baseUrl: listeningServer.baseUrl, timeoutMs })
      checkReport(report, server)
      assert.ok(
        listeningServer.requests() <= report.requests,
        'no redirect is followed, and every request is counted',
      )
      assert.ok(
        listeningServer.bytesSent() < maxBytesPerRequest * report.requests,
        `${listeningServer.bytesSent()} bytes were sent for ${report.requests} requests`,
      )
    } finally {
      await listeningServer.close()
    }
  })
}

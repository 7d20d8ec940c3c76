import assert from 'node:assert/strict'
import { test } from 'node:test'
import { exitCode, type Report, runConformance } from '../index.ts'
import { createClock } from './clock.ts'
import { degenerate } from './degenerate.ts'
import { degenerateSockets, listen } from './degenerate-sockets.ts'
import { idsOf } from './trial.ts'
import { mainKey, throttleKey } from './world.ts'

const clock = createClock('2026-11-20T12:00:05Z')
const run = { key: mainKey, throttleKey, profile: 'all', clock } as const

function check(report: Report, { passes, exit }: { passes: readonly string[]; exit: number }): void {
  assert.deepEqual(idsOf(report, 'pass'), passes)
  assert.equal(exitCode(report), exit)
  assert.ok(report.requests <= 60, `${report.requests} requests`)
}

for (const server of degenerate) {
  test(`a server that ${server.does} passes nothing that does not hold`, async () => {
    check(
      await runConformance({ ...run, baseUrl: 'http://degenerate.test/v1', fetch: server.answer }),
      server,
    )
  })
}

for (const server of degenerateSockets) {
  test(`a server that ${server.does} passes nothing that does not hold`, { timeout: 10_000 }, async () => {
    const listening = await listen(server)
    try {
      check(await runConformance({ ...run, baseUrl: listening.baseUrl, timeoutMs: 40 }), server)
      assert.ok(listening.sent() < 60_000_000, `${listening.sent()} bytes`)
    } finally {
      await listening.close()
    }
  })
}

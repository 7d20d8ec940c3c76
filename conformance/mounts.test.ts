import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { test } from 'node:test'
import { createNodeHandler, hardenServer, serverOptions } from '../adapters/node-http/index.ts'
import { closeServer, listen } from '../adapters/testing/listen.ts'
import { sha256 } from '../core/index.ts'
import { type Clock, exitCode, runConformance } from './index.ts'
import { createServiceWithAnimals } from './testing/service.ts'

const key = 'key-of-the-tests'
const throttleKey = 'key-to-burn'

/** Creates a clock that does not wait. Its time leaps forward instead. */
function createLeapingClock(): Clock {
  let leapt = 0
  return {
    now: () => Date.now() + leapt,
    elapsed: () => performance.now() + leapt,
    sleep: async (ms) => {
      leapt += ms
    },
  }
}

const keys = [
  { id: 'tests', sha256: sha256(key), plan: 'free' },
  { id: 'burnt', sha256: sha256(throttleKey), plan: 'enterprise', limits: { minute: 12, day: 1000 } },
] as const

for (const profile of ['read', 'create', 'exhaust', 'all'] as const) {
  test(`the node:http mount conforms in profile ${profile}`, async () => {
    const clock = createLeapingClock()
    const service = await createServiceWithAnimals(keys, clock.now)
    const server = createServer(serverOptions, createNodeHandler(service))
    hardenServer(server, service)
    const baseUrl = `http://127.0.0.1:${await listen(server)}/v1`
    try {
      const report = await runConformance({ baseUrl, apiKey: key, throttleKey, profile, plan: 'free', clock })
      const objections = report.rules.filter(({ verdict }) => /^(fail|warn|inconclusive)$/.test(verdict))
      assert.deepEqual(
        objections.map(({ id }) => id),
        [],
      )
      assert.equal(exitCode(report), 0)
    } finally {
      await closeServer(server)
    }
  })
}

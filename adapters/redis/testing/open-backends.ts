import assert from 'node:assert/strict'
import { after } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import * as ioredis from 'ioredis'
import { openRedis, type RedisBackend } from '../index.ts'

/** Several backends for the same Redis. To Redis, each is a separate process. */
export interface SharedBackends {
  readonly backends: readonly RedisBackend[]
  newKey(): string
  /** Sends requests through all backends in parallel, 40 each by default. Returns how many were allowed. */
  countAdmitted(key: string, each?: number): Promise<number>
  /** Checks that exactly 60 requests are allowed. */
  assertExactLimit(key?: string): Promise<void>
  /** Waits until every backend reports that Redis is up (1) or down (0). */
  waitForUpMetric(up: 0 | 1): Promise<void>
  /**
   * Sends requests until the returned function is called. That function returns how long the slowest request took, in
   * milliseconds.
   */
  startLoad(): () => Promise<number>
  close(): Promise<void>
}

const sixtyPerHour = [{ requests: 60, windowMs: 3_600_000 }]
const highLimit = [{ requests: 1_000_000, windowMs: 3_600_000 }]
let keyCount = 0

/** Opens several backends for the same Redis, and closes them after the test file. */
export async function openBackends(url: string, size: number): Promise<SharedBackends> {
  const backends = await Promise.all(Array.from({ length: size }, () => openRedis({ driver: ioredis, url })))
  const close = async () => {
    await Promise.all(backends.map((backend) => backend.close()))
  }
  after(close)
  const shared: SharedBackends = {
    backends,
    newKey: () => `key:${process.pid}-${keyCount++}`,
    async countAdmitted(key, each = 40) {
      const requests = backends.flatMap(({ limiter }) =>
        Array.from({ length: each }, () => limiter.consume(key, sixtyPerHour)),
      )
      return (await Promise.all(requests)).filter(({ allowed }) => allowed).length
    },
    async assertExactLimit(key = shared.newKey()) {
      assert.equal(await shared.countAdmitted(key), 60)
    },
    async waitForUpMetric(up) {
      while (backends.some(({ metrics }) => metrics().up !== up)) await setTimeout(50)
    },
    startLoad() {
      let isStopped = false
      let longestMs = 0
      const load = backends.map(async ({ limiter }, i) => {
        for (; !isStopped; await setTimeout(5)) {
          const startedAt = performance.now()
          assert.ok((await limiter.consume(`key:load-${i}`, highLimit)).allowed)
          longestMs = Math.max(longestMs, performance.now() - startedAt)
        }
      })
      return async () => {
        isStopped = true
        await Promise.all(load)
        return longestMs
      }
    },
    close,
  }
  return shared
}

import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  createMemoryLimiter,
  type RateLimiter,
  type ServiceRequest,
  type ServiceResponse,
  StoreUnavailable,
} from '../../../core/index.ts'
import type { StorageHealth } from '../storage/open-storage.ts'
import { type HealthOptions, healthPages } from './health.ts'

/** Health pages read nothing of a request. */
const request = undefined as unknown as ServiceRequest

const working: StorageHealth = { readFailure: undefined, writeFailure: undefined }
const noConnection = new StoreUnavailable('no connection', { cause: new Error('ECONNREFUSED') })

interface Health {
  readonly ask: (path: '/healthz' | '/readyz') => Promise<ServiceResponse>
  readonly warnings: string[]
}

function createHealth(options: Partial<HealthOptions> = {}): Health {
  const warnings: string[] = []
  const pages = healthPages({
    checkStorage: async () => working,
    limiter: createMemoryLimiter(),
    isStopping: () => false,
    log: { warning: (_event, message) => void warnings.push(message) },
    ...options,
  })
  return { warnings, ask: async (path) => (pages[path] ?? assert.fail())(request) }
}

test('a server whose store and limiter respond is healthy and ready', async () => {
  const { ask, warnings } = createHealth()
  assert.deepEqual([(await ask('/healthz')).status, (await ask('/readyz')).status], [200, 200])
  assert.deepEqual(warnings, [])
})

const gone = () => Promise.reject(new Error('gone'))
const failingLimiter: RateLimiter = { consume: gone, peek: gone }
const checkStorage = async () => ({ ...working, readFailure: noConnection })
const fullDisk = async () => ({ ...working, writeFailure: new StoreUnavailable('the disk is full') })
const storeProblem = 'the store is not available: no connection: ECONNREFUSED'
const limiterProblem = 'the rate limiter is not available: gone'

for (const [what, options, message, logged] of [
  ['a store that fails', { checkStorage }, 'the store is not available', [storeProblem]],
  [
    'a store that can be read but not written',
    { checkStorage: fullDisk },
    'the store is not available',
    ['the store is not available: the disk is full'],
  ],
  [
    'a limiter that fails',
    { limiter: failingLimiter },
    'the rate limiter is not available',
    [limiterProblem],
  ],
  [
    'both',
    { limiter: failingLimiter, checkStorage },
    'the store and the rate limiter are not available',
    [storeProblem, limiterProblem],
  ],
  ['a server that is stopping', { isStopping: () => true }, 'the server is stopping', []],
] as const)
  test(`not ready, but healthy: ${what}`, async () => {
    const { ask, warnings } = createHealth(options)
    const { status, headers, body } = await ask('/readyz')
    assert.equal(status, 503)
    assert.equal(headers[headers.indexOf('Retry-After') + 1], '5')
    const error = { code: 'service_unavailable', message: `Not ready: ${message}.`, status: 503 }
    assert.deepEqual(JSON.parse(String(body)), error)
    assert.equal((await ask('/healthz')).status, 200)
    assert.deepEqual([...warnings].sort(), [...logged].sort())
  })

test('a health check charges no bucket', async () => {
  const calls: string[] = []
  const memory = createMemoryLimiter()
  const limiter: RateLimiter = {
    consume: () => assert.fail('a bucket is charged'),
    peek(...call) {
      calls.push('peek')
      return memory.peek(...call)
    },
  }
  await createHealth({ limiter }).ask('/readyz')
  assert.deepEqual(calls, ['peek'])
})

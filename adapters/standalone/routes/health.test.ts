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

function assertNotReady({ status, headers, body }: ServiceResponse, message: string): void {
  assert.equal(status, 503)
  assert.equal(headers[headers.indexOf('Retry-After') + 1], '5')
  assert.deepEqual(JSON.parse(String(body)), { code: 'service_unavailable', message, status: 503 })
}

test('a server whose store and limiter respond is healthy and ready', async () => {
  const { ask, warnings } = createHealth()
  assert.equal((await ask('/healthz')).status, 200)
  assert.equal((await ask('/readyz')).status, 200)
  assert.deepEqual(warnings, [])
})

test('a store that fails makes it not ready, but not unhealthy', async () => {
  const { ask, warnings } = createHealth({
    checkStorage: async () => ({ ...working, readFailure: noConnection }),
  })
  assertNotReady(await ask('/readyz'), 'Not ready: the store is not available.')
  assert.equal((await ask('/healthz')).status, 200)
  assert.deepEqual(warnings, ['the store is not available: no connection: ECONNREFUSED'])
})

test('a store that can be read but not written makes it not ready', async () => {
  const { ask, warnings } = createHealth({
    checkStorage: async () => ({ ...working, writeFailure: new StoreUnavailable('the disk is full') }),
  })
  assertNotReady(await ask('/readyz'), 'Not ready: the store is not available.')
  assert.deepEqual(warnings, ['the store is not available: the disk is full'])
})

test('a limiter that fails makes it not ready', async () => {
  const fail = () => Promise.reject(new Error('gone'))
  const limiter: RateLimiter = { consume: fail, peek: fail }
  assertNotReady(
    await createHealth({ limiter }).ask('/readyz'),
    'Not ready: the rate limiter is not available.',
  )
  const { ask } = createHealth({ limiter, checkStorage: async () => ({ ...working, readFailure: 'gone' }) })
  assertNotReady(await ask('/readyz'), 'Not ready: the store and the rate limiter are not available.')
})

test('a health check charges no bucket', async () => {
  const calls: string[] = []
  const memory = createMemoryLimiter()
  const limiter: RateLimiter = {
    consume(...call) {
      calls.push('consume')
      return memory.consume(...call)
    },
    peek(...call) {
      calls.push('peek')
      return memory.peek(...call)
    },
  }
  await createHealth({ limiter }).ask('/readyz')
  assert.deepEqual(calls, ['peek'])
})

test('a server that is stopping is healthy and not ready', async () => {
  const { ask } = createHealth({ isStopping: () => true })
  assert.equal((await ask('/healthz')).status, 200)
  assertNotReady(await ask('/readyz'), 'Not ready: the server is stopping.')
})

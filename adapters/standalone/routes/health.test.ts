import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ServiceRequest, type ServiceResponse, StoreUnavailableError } from '../../../core/index.ts'
import { type CheckedParts, createHealthPages } from './health.ts'

/** pages do not read the request */
const request = undefined as unknown as ServiceRequest

const noConnection = new StoreUnavailableError('no connection', { cause: new Error('ECONNREFUSED') })

const store = { check: async () => ({ reads: noConnection }) }
const fullDisk = {
  check: async () => ({ writes: new StoreUnavailableError('the disk is full') }),
}
const storeProblem = 'the store is unavailable: no connection: ECONNREFUSED'

const rows: Readonly<Record<string, readonly [Partial<CheckedParts>, problem: string, logged: string[]]>> = {
  'a store that fails': [{ store }, 'the store is', [storeProblem]],
  'a store that can be read but not written': [{ store: fullDisk }, '', []],
  'a server that is stopping': [{}, 'the server is stopping', []],
  'a server whose parts respond': [{}, '', []],
}

for (const [what, [options, problem, logged]] of Object.entries(rows))
  test(`/readyz reports ${what} as ${problem ? 'not ' : ''}ready`, async () => {
    const warnings: string[] = []
    const parts = {
      store: { check: async () => ({}) },
      throttled: { warning: (_event: string, message: string) => void warnings.push(message) },
    }
    const pages = createHealthPages({ ...parts, ...options }, () => what === 'a server that is stopping')
    const ask = async (path: string): Promise<ServiceResponse> => (pages[path] ?? assert.fail())(request)
    assert.equal((await ask('/healthz')).status, 200)
    const { status, rawHeaders, body = '' } = await ask('/readyz')
    assert.equal(status, problem ? 503 : 200)
    assert.deepEqual(warnings, logged)
    if (!problem) return
    assert.equal(rawHeaders[rawHeaders.indexOf('Retry-After') + 1], '5')
    const { code, message } = JSON.parse(body)
    assert.equal(code, 'service_unavailable')
    assert.ok(message.startsWith(`Not ready: ${problem}`), message)
  })

import assert from 'node:assert/strict'
import { it } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import fc from 'fast-check'
import { createPetService, type ServiceOptions } from '../core/index.ts'
import { sendRequest } from '../core/testing/service-request.ts'
import { assertConforms, type TestResponse } from './testing/exchange.ts'
import { connectionScript, message } from './testing/fuzz/messages.ts'
import { serve } from './testing/serve.ts'

const limits = { minute: 100_000_000, day: 100_000_000 }
/** A service with a key that is never rate-limited, behind a trusted proxy. */
const service: ServiceOptions = {
  keys: { find: (token) => (token === 'good' ? { id: 'good', plan: 'enterprise', limits } : undefined) },
  trustProxy: 1,
}

const seed = 1
const versions = fc.constantFrom(undefined, '1.0', '1.1')
const addresses = fc.constantFrom(
  undefined,
  '',
  'a-socket',
  '127.0.0.1',
  '::1',
  '::ffff:10.0.0.1',
  '1.2.3.4.5',
)

/** Asserts that a response is valid and not a 5xx. Returns its status. */
function assertValidResponse(response: TestResponse): number {
  assert.ok(response.status < 500, `${response.status} ${response.text}`)
  assertConforms(response, response.text === '' ? 'HEAD' : 'GET')
  return response.status
}

/** Asserts that the requests caused all these statuses, so that they are not all rejected early. */
function assertReached(statuses: ReadonlySet<number>, ...expected: readonly number[]): void {
  for (const status of expected) assert.ok(statuses.has(status), `no response has the status ${status}`)
}

it('a service responds to any request without a 5xx', async () => {
  const statuses = new Set<number>()
  const core = createPetService(service)
  await fc.assert(
    fc.asyncProperty(message, versions, addresses, async (request, httpVersion, clientAddress) => {
      core.matches(request.target)
      statuses.add(assertValidResponse(await sendRequest(core, { ...request, httpVersion, clientAddress })))
    }),
    { numRuns: 3_000, seed },
  )
  assertReached(statuses, 200, 201, 400, 401, 404, 405, 413, 415, 417)
})

it('a server responds to any bytes without a 5xx', async (t) => {
  const statuses = new Set<number>()
  const { connect } = await serve(t, {
    service,
    server: { connectionsCheckingInterval: 200 },
    timeouts: { requestTimeout: 2_000, headersTimeout: 1_000 },
  })
  const scripts = fc.sample(connectionScript, { numRuns: 200, seed })
  await Promise.all(
    scripts.map(async ({ parts, isReset }) => {
      try {
        const wire = await connect()
        for (const part of parts) {
          wire.write(part)
          await turn()
        }
        if (isReset) return void wire.socket.resetAndDestroy()
        wire.socket.end()
        for (const response of await wire.readAll())
          if (response.status !== 100) statuses.add(assertValidResponse(response))
      } catch (cause) {
        const sent = Buffer.concat(parts).toString('latin1')
        throw new Error(`a connection failed after ${JSON.stringify(sent)}`, { cause })
      }
    }),
  )
  assertReached(statuses, 200, 400, 401, 404)
})

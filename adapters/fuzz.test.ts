import assert from 'node:assert/strict'
import { it } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import fc from 'fast-check'
import { createPetService, type ServiceOptions } from '../core/index.ts'
import { ask } from '../core/testing/service-request.ts'
import { assertLawful, type Received } from './testing/exchange.ts'
import { message, story } from './testing/fuzz/messages.ts'
import { serve } from './testing/serve.ts'

const limits = { minute: 100_000_000, day: 100_000_000 }
/** One key, which is never rate-limited, behind one trusted proxy. */
const service: ServiceOptions = {
  keys: { find: (token) => (token === 'good' ? { id: 'good', plan: 'enterprise', limits } : undefined) },
  trustProxy: 1,
}

const seed = 1
const versions = fc.constantFrom(undefined, '1.0', '1.1')
const clients = fc.constantFrom(undefined, '', 'a-socket', '127.0.0.1', '::1', '::ffff:10.0.0.1', '1.2.3.4.5')

/** Asserts the requirements of every response. Returns its status. */
function judge(response: Received): number {
  assert.ok(response.status < 500, `${response.status} ${response.text}`)
  assertLawful(response, response.text === '' ? 'HEAD' : 'GET')
  return response.status
}

/** Asserts that the requests were varied. */
function assertSome(statuses: ReadonlySet<number>, ...expected: readonly number[]): void {
  for (const status of expected) assert.ok(statuses.has(status), `none was responded to with ${status}`)
}

it('every malformed request to core gets a well-formed response below 500', async () => {
  const statuses = new Set<number>()
  const core = createPetService(service)
  await fc.assert(
    fc.asyncProperty(message, versions, clients, async (request, httpVersion, client) => {
      core.matches(request.target)
      statuses.add(judge(await ask(core, { ...request, httpVersion, client })))
    }),
    { numRuns: 3_000, seed },
  )
  assertSome(statuses, 200, 201, 400, 401, 404, 405, 413, 415, 417)
})

it('node:http responds to every malformed request without a 5xx', async (t) => {
  const statuses = new Set<number>()
  const { connect } = await serve(t, {
    service,
    server: { connectionsCheckingInterval: 200 },
    settings: { requestTimeout: 2_000, headersTimeout: 1_000 },
  })
  const stories = fc.sample(story, { numRuns: 200, seed })
  await Promise.all(
    stories.map(async ({ parts, isReset }) => {
      try {
        const wire = await connect()
        for (const part of parts) {
          wire.write(part)
          await turn()
        }
        if (isReset) return void wire.socket.resetAndDestroy()
        wire.socket.end()
        for (const response of await wire.readAll())
          if (response.status !== 100) statuses.add(judge(response))
      } catch (cause) {
        const sent = Buffer.concat(parts).toString('latin1')
        throw new Error(`a connection failed on ${JSON.stringify(sent)}`, { cause })
      }
    }),
  )
  assertSome(statuses, 200, 400, 401, 404)
})

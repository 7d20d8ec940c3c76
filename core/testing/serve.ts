import assert from 'node:assert/strict'
import type { Caller } from '../keys/auth.ts'
import type { ResponseEvent } from '../pipeline/events.ts'
import type { ServiceOptions } from '../pipeline/options.ts'
import { createPetService, type PetService } from '../pipeline/service.ts'
import { type RequestOptions, sendRequest, type TestResponse } from './service-request.ts'
import { createTestClock, type TestClock } from './test-clock.ts'

export const zoo: Caller = { id: 'zoo', plan: 'free' }
export const keyHeaders = { authorization: 'Bearer good' } as const
export const addRex: RequestOptions & { readonly body: string } = {
  method: 'POST',
  headers: keyHeaders,
  body: '{"name":"Rex","categoryId":1}',
}

/** A service with one caller, and what its hooks received. */
export interface TestService extends TestClock {
  readonly service: PetService
  readonly causes: readonly unknown[]
  readonly events: readonly ResponseEvent[]
  readonly send: (asked?: RequestOptions) => Promise<TestResponse>
}

/** Creates a service with a test clock. `send` checks the headers that every response has. */
export function serve(options: Partial<ServiceOptions> = {}, start?: number): TestService {
  const time = createTestClock(start)
  const reportedCauses: unknown[] = []
  const events: ResponseEvent[] = []
  const service = createPetService({
    keys: { find: (token) => (token === 'good' ? zoo : undefined) },
    clock: time.clock,
    onError: (cause) => reportedCauses.push(cause),
    onResponse: (event) => events.push(event),
    ...options,
  })
  return {
    ...time,
    service,
    causes: reportedCauses,
    events,
    async send(asked) {
      const response = await sendRequest(service, asked)
      const { headers } = response
      for (const name of ['limit', 'remaining', 'reset'])
        assert.match(headers.get(`x-ratelimit-${name}`) ?? '', /^\d+$/)
      assert.deepEqual(
        [headers.get('cache-control'), headers.get('x-content-type-options')],
        ['no-store', 'nosniff'],
      )
      return response
    },
  }
}

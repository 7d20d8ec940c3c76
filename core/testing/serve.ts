import assert from 'node:assert/strict'
import type { Caller } from '../keys/auth.ts'
import type { ResponseEvent } from '../pipeline/events.ts'
import type { ServiceOptions } from '../pipeline/options.ts'
import { createPetService, type PetService } from '../pipeline/service.ts'
import { type Asked, ask, type Received } from './service-request.ts'
import { type HeldClock, heldClock } from './traffic.ts'

export const zoo: Caller = { id: 'zoo', plan: 'free' }
export const keyed = { authorization: 'Bearer good' } as const
export const addRex: Asked & { readonly body: string } = {
  method: 'POST',
  headers: keyed,
  body: '{"name":"Rex","categoryId":1}',
}

/** A service, with the arguments that its hooks have received. */
export interface Served extends HeldClock {
  readonly service: PetService
  readonly causes: readonly unknown[]
  readonly events: readonly ResponseEvent[]
  /** Returns a response. Asserts what all have: a limit in numbers, and that none is stored or its type guessed. */
  readonly ask: (asked?: Asked) => Promise<Received>
}

/** Creates a service with one key, which is `good`, and a clock that stands until the test moves it. */
export function serve(options: Partial<ServiceOptions> = {}, start?: number): Served {
  const time = heldClock(start)
  const causes: unknown[] = []
  const events: ResponseEvent[] = []
  const service = createPetService({
    keys: { find: (token) => (token === 'good' ? zoo : undefined) },
    clock: time.clock,
    onError: (cause) => causes.push(cause),
    onResponse: (event) => events.push(event),
    ...options,
  })
  return {
    ...time,
    service,
    causes,
    events,
    async ask(asked) {
      const response = await ask(service, asked)
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

import assert from 'node:assert/strict'
import { it } from 'node:test'
import { createKeyStore, createMemoryLimiter, createPetService } from '../index.ts'
import { serviceRequest } from '../testing/service-request.ts'

const keys = { find: () => ({ id: 'zoo', plan: 'pro' }) as const }

for (const clock of [() => Number.NaN, () => undefined, () => new Date(), new Date(), null, 5]) {
  it(`a clock that is ${clock} is a TypeError when it is given`, () => {
    const options = { clock: clock as () => number }
    for (const make of [
      () => createPetService({ keys, ...options }),
      () => createMemoryLimiter(options),
      () => createKeyStore([], options),
    ])
      assert.throws(make, { name: 'TypeError', message: /^options\.clock must return milliseconds/ })
  })
}

it('a clock that fails later is a 500 with numbers, and onError receives the cause', async () => {
  let now = Date.UTC(2026, 10, 22)
  const causes: unknown[] = []
  const service = createPetService({ keys, clock: () => now, onError: (cause) => causes.push(cause) })
  now = Number.NaN
  const response = await service.handle(serviceRequest({ headers: { authorization: 'Bearer key' } }))
  assert.equal(response.status, 500)
  assert.ok(response.headers.includes('X-RateLimit-Reset'))
  assert.match(String(causes[0]), /options\.clock/)
})

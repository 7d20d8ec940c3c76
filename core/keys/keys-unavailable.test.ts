import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createPetService, StoreUnavailable } from '../index.ts'
import { serviceRequest } from '../testing/service-request.ts'

test('the owner of a key that was valid gets 503 while keys cannot be looked up, never the 429 of the address', async () => {
  let isAway = false
  const service = createPetService({
    keys: {
      find(token) {
        if (isAway) throw new StoreUnavailable('away')
        return token === 'the-valid-key' ? { id: 'zoo', plan: 'pro' } : undefined
      },
    },
  })
  const ask = async (token: string) => {
    const headers = { authorization: `Bearer ${token}` }
    return (await service.handle(serviceRequest({ headers }))).status
  }
  const askOften = async (token: string) => {
    const statuses = new Set<number>()
    for (let i = 0; i < 300; i++) statuses.add(await ask(token))
    return [...statuses]
  }
  assert.equal(await ask('the-valid-key'), 200)
  isAway = true
  assert.deepEqual(await askOften('the-valid-key'), [503])
  assert.deepEqual(await askOften('another-key'), [503, 429])
  isAway = false
  assert.equal(await ask('the-valid-key'), 200)
})

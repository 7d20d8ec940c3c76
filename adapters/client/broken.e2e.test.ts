import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { degenerate, degenerateSockets, listen } from '../../conformance/testing/deployments/degenerate.ts'
import { createDeployment, type Handler } from '../../conformance/testing/deployments/deployment.ts'
import { broken, legal } from '../../conformance/testing/deployments/trials.ts'
import { createClock, mainKey } from '../../conformance/testing/deployments/world.ts'
import { createPetClient, type Pet, PetApiError, type PetClientOptions } from './index.ts'

const clock = createClock('2026-11-20T12:00:05Z')

function assertPet({ id, name, categoryId, status }: Pet): void {
  assert.deepEqual([typeof id, typeof name, typeof categoryId], ['bigint', 'string', 'bigint'])
  assert.match(String(status), /^(?:available|pending|sold|undefined)$/)
}

/** Calls each operation. Every call has a right value, or ends in an error of the client. Returns how many have one. */
async function use(options: Partial<PetClientOptions> & { baseUrl: string }): Promise<number> {
  const { now, sleep } = clock
  const defaults = { apiKey: mainKey, clock: now, sleep, onDeprecation() {}, maxRetries: 1 }
  const pets = createPetClient({ ...defaults, ...options })
  let left = 1_000
  const list = async () => {
    for await (const pet of pets.list({ limit: 100 })) {
      assertPet(pet)
      if (--left === 0) break
    }
  }
  const create = async () => {
    const pet = await pets.create({ name: 'Émile', categoryId: 9007199254740993n, status: 'sold' })
    assertPet(pet)
    assertPet(await pets.get(pet.id))
  }
  const page = () => pets.list({ status: 'sold' }).page()
  const ends = []
  for (const call of [list, page, create]) ends.push(...(await Promise.allSettled([call()])))
  for (const { reason } of ends.filter((end) => end.status === 'rejected')) {
    assert.ok(reason instanceof Error && !String(reason).includes(mainKey))
    const isKnown = reason instanceof PetApiError || reason.name === 'TimeoutError'
    assert.ok(isKnown || /fetch failed|terminated/.test(reason.message), reason)
  }
  return ends.filter(({ status }) => status === 'fulfilled').length
}

const inProcess = (handler: Handler, base = '/v1') =>
  use({ baseUrl: `http://reference.test${base}`, fetch: handler })

it('every call has a value on the reference deployment', async () => {
  assert.equal(await inProcess(createDeployment(clock)), 3)
})

describe('a call has a right value or an error if a deployment', () => {
  for (const variant of [...legal, ...broken])
    it(variant.does, async () => void (await inProcess(createDeployment(clock, variant), variant.base)))
  for (const { does, handler } of degenerate) it(does, async () => void (await inProcess(handler)))
  for (const server of degenerateSockets)
    it(server.does, async () => {
      const { baseUrl, close } = await listen(server)
      try {
        assert.equal(await use({ baseUrl, timeoutMs: server.hangs ? 40 : 5_000 }), 0)
      } finally {
        await close()
      }
    })
})

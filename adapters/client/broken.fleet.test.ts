import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { degenerate, degenerateSockets, listen } from '../../conformance/sabotage/degenerate.ts'
import { createDeployment, type Handler } from '../../conformance/sabotage/deployment.ts'
import { broken, legal } from '../../conformance/sabotage/trials.ts'
import { createClock, mainKey } from '../../conformance/sabotage/world.ts'
import { createPetClient, type Pet, PetApiError, type PetClientOptions } from '../client.ts'

const clock = createClock('2026-11-20T12:00:05Z')
const statuses: readonly unknown[] = ['available', 'pending', 'sold', undefined]

function assertPet({ id, name, categoryId, status }: Pet): void {
  assert.deepEqual([typeof id, typeof name, typeof categoryId], ['bigint', 'string', 'bigint'])
  assert.ok(statuses.includes(status))
}

/** Calls each operation. Every call has a right value, or ends in an error of the client. */
async function use(options: Partial<PetClientOptions> & { baseUrl: string }): Promise<number> {
  const { now, sleep } = clock
  const pets = createPetClient({
    apiKey: mainKey,
    clock: now,
    sleep,
    onDeprecation() {},
    maxRetries: 1,
    ...options,
  })
  const list = async () => {
    let pages = 0
    for await (const pet of pets.list({ limit: 100 })) {
      assertPet(pet)
      if (++pages > 1_000) break
    }
  }
  const create = async () => {
    const pet = await pets.create({ name: 'Émile', categoryId: 9007199254740993n, status: 'sold' })
    assertPet(pet)
    assertPet(await pets.get(pet.id))
  }
  const ends = [
    ...(await Promise.allSettled([list()])),
    ...(await Promise.allSettled([pets.list({ status: 'sold' }).page()])),
    ...(await Promise.allSettled([create()])),
  ]
  for (const end of ends) {
    if (end.status === 'fulfilled') continue
    const { reason } = end
    assert.ok(
      reason instanceof PetApiError ||
        reason.name === 'TimeoutError' ||
        /fetch failed|terminated/.test(reason.message),
      reason,
    )
    assert.ok(!String(reason).includes(mainKey))
  }
  return ends.filter(({ status }) => status === 'fulfilled').length
}

const inProcess = (handler: Handler, base = '/v1') =>
  use({ baseUrl: `http://reference.test${base}`, fetch: handler })

describe('the client, on the reference deployment and on every legal one', () => {
  it('the reference', async () => {
    assert.equal(await inProcess(createDeployment(clock)), 3)
  })

  for (const variant of legal) {
    it(`one that ${variant.does}`, async () => {
      await inProcess(createDeployment(clock, variant), variant.base)
    })
  }
})

describe('the client, on every broken deployment', () => {
  for (const variant of broken) {
    it(`${variant.rule}: one that ${variant.does}`, async () => {
      await inProcess(createDeployment(clock, variant), variant.base)
    })
  }
})

describe('the client, on a server that is no deployment', () => {
  for (const { does, handler } of degenerate) {
    it(`one that ${does}`, async () => {
      await inProcess(handler)
    })
  }

  for (const server of degenerateSockets) {
    it(`one that ${server.does}`, async () => {
      const { baseUrl, close } = await listen(server)
      try {
        assert.equal(await use({ baseUrl, timeoutMs: server.hangs ? 40 : 5_000 }), 0)
      } finally {
        await close()
      }
    })
  }
})

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  degenerateServers,
  degenerateSockets,
  listenOnSocket,
} from '../../conformance/testing/deployments/degenerate.ts'
import { createDeployment, type Handler } from '../../conformance/testing/deployments/deployment.ts'
import { brokenDeployments, legalDeployments } from '../../conformance/testing/deployments/trials.ts'
import { createClock, mainKey } from '../../conformance/testing/deployments/world.ts'
import { createPetClient, type Pet, PetApiError, type PetClientOptions } from './index.ts'

const clock = createClock('2026-11-20T12:00:05Z')

function assertPet({ id, name, categoryId, status }: Pet): void {
  assert.deepEqual([typeof id, typeof name, typeof categoryId], ['bigint', 'string', 'bigint'])
  assert.match(String(status), /^(?:available|pending|sold|undefined)$/)
}

/**
 * Calls every method of a client, and returns how many calls succeed. Each call must return a valid animal or throw
 * an expected error whose text does not contain the API key.
 */
async function callEveryMethod(options: Partial<PetClientOptions> & { baseUrl: string }): Promise<number> {
  const { now, sleep } = clock
  const defaults = { apiKey: mainKey, clock: now, sleep, onDeprecation() {}, maxRetries: 1 }
  const pets = createPetClient({ ...defaults, ...options })
  let left = 1_000
  const listPets = async () => {
    for await (const pet of pets.list({ limit: 100 })) {
      assertPet(pet)
      if (--left === 0) break
    }
  }
  const createPet = async () => {
    const pet = await pets.create({ name: 'Émile', categoryId: 9007199254740993n, status: 'sold' })
    assertPet(pet)
    assertPet(await pets.get(pet.id))
  }
  const getPage = () => pets.list({ status: 'sold' }).page()
  const callResults = []
  for (const call of [listPets, getPage, createPet]) callResults.push(...(await Promise.allSettled([call()])))
  for (const { reason } of callResults.filter((end) => end.status === 'rejected')) {
    assert.ok(reason instanceof Error && !String(reason).includes(mainKey))
    const isKnown = reason instanceof PetApiError || reason.name === 'TimeoutError'
    assert.ok(isKnown || /fetch failed|terminated/.test(reason.message), reason)
  }
  return callResults.filter(({ status }) => status === 'fulfilled').length
}

const callInProcess = (handler: Handler, base = '/v1') =>
  callEveryMethod({
    baseUrl: `http://reference.test${base}`,
    fetch: async (url, init) => handler(new Request(url, init)),
  })

it('a client works with the reference deployment', async () => {
  assert.equal(await callInProcess(createDeployment(clock)), 3)
})

describe('a client survives a deployment that', () => {
  for (const variant of [...legalDeployments, ...brokenDeployments])
    it(variant.does, async () => void (await callInProcess(createDeployment(clock, variant), variant.base)))
  for (const { does, handler } of degenerateServers) it(does, async () => void (await callInProcess(handler)))
  for (const server of degenerateSockets)
    it(server.does, async () => {
      const { baseUrl, close } = await listenOnSocket(server)
      try {
        assert.equal(await callEveryMethod({ baseUrl, timeoutMs: server.hangs ? 40 : 5_000 }), 0)
      } finally {
        await close()
      }
    })
})

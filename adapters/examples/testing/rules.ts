import assert from 'node:assert/strict'
import { runConformance } from 'pet-adoption-service/conformance'

/** The key of every example, of the plan pro. */
export const key = 'my-first-long-api-key'

/** Adds more animals than a page holds, of every status: on an empty list the suite could judge little. */
async function addAnimals(baseUrl: string, fetch = globalThis.fetch): Promise<void> {
  for (let i = 0; i < 30; i++) {
    const body = JSON.stringify({
      name: `Animal ${i}`,
      categoryId: 1 + (i % 3),
      status: ['available', 'pending', 'sold'][i % 3],
    })
    const { status } = await fetch(`${baseUrl}/pets`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
      body,
    })
    assert.equal(status, 201)
  }
}

/** Where the service is, when it is not at `/v1` or not on a port. */
export interface Place {
  readonly basePath?: string | undefined
  /** Handles the requests in this process. */
  readonly fetch?: typeof globalThis.fetch
}

/** Has a service that holds no animals yet judged by every rule of the profile `create`. */
export async function assertKeepsEveryRule(origin: string, place: Place = {}): Promise<void> {
  const { basePath = '/v1', fetch } = place
  const baseUrl = `${origin}${basePath}`
  await addAnimals(baseUrl, fetch)
  const { rules } = await runConformance({
    baseUrl,
    key,
    profile: 'create',
    plan: 'pro',
    ...(fetch && { fetch }),
  })
  const objections = rules.filter(({ verdict }) => /^(?:fail|warn|inconclusive)$/.test(verdict))
  assert.deepEqual(
    objections.map(({ id, verdict, reason }) => `${id} ${verdict}: ${reason}`),
    [],
  )
}

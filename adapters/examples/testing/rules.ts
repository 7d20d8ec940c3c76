import assert from 'node:assert/strict'
import { runConformance } from 'pet-adoption-service/conformance'

/** The API key in every example. Its plan is `pro`. */
export const apiKey = 'my-first-long-api-key'

/** Creates 30 animals, more than a page has, so that every rule can be checked. Returns the response statuses. */
export async function createAnimals(
  baseUrl: string,
  token: string = apiKey,
  fetch: typeof globalThis.fetch = globalThis.fetch,
): Promise<readonly number[]> {
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' }
  const statuses: number[] = []
  for (let i = 0; i < 30; i++) {
    const status = ['available', 'pending', 'sold'][i % 3]
    const body = JSON.stringify({ name: `Animal ${i}`, categoryId: 1 + (i % 3), status })
    const response = await fetch(`${baseUrl}/pets`, { method: 'POST', headers, body })
    await response.arrayBuffer()
    statuses.push(response.status)
  }
  return statuses
}

/** Creates a `fetch` function that passes requests to a handler in this process. */
export const toFetch =
  (handler: (request: Request) => Promise<Response>): typeof fetch =>
  async (input, init) =>
    handler(new Request(input, init))

/** Creates animals, and asserts that the service follows every rule of the profile `create`. */
export async function assertFollowsEveryRule(origin: string, fetch?: typeof globalThis.fetch): Promise<void> {
  const baseUrl = `${origin}/v1`
  assert.deepEqual(new Set(await createAnimals(baseUrl, apiKey, fetch)), new Set([201]))
  const { rules } = await runConformance({
    baseUrl,
    apiKey,
    profile: 'create',
    plan: 'pro',
    ...(fetch && { fetch, skip: ['AUTH-17'] }), // AUTH-17 needs TCP connections
  })
  const broken = rules
    .filter(({ verdict }) => /^(?:fail|warn|inconclusive)$/.test(verdict))
    .map(({ id, verdict, reason }) => `${id} ${verdict}: ${reason}`)
  assert.deepEqual(broken, [])
}

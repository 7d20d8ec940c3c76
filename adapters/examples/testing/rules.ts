import assert from 'node:assert/strict'
import { runConformance } from 'pet-adoption-service/conformance'

/** The key of every example. Its plan is `pro`. */
export const key = 'my-first-long-api-key'

/** Adds more animals than a page has, of each status: evidence for every rule. Returns the statuses. */
export async function addAnimals(
  baseUrl: string,
  token: string = key,
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

/** Returns a `fetch` that passes requests to a handler in this process. */
export const fetchOf =
  (handler: (request: Request) => Promise<Response>): typeof fetch =>
  async (input, init) =>
    handler(new Request(input, init))

/** Adds animals to a service that has none, and asserts that it follows every rule of the profile `create`. */
export async function assertFollowsEveryRule(origin: string, fetch?: typeof globalThis.fetch): Promise<void> {
  const baseUrl = `${origin}/v1`
  assert.deepEqual(new Set(await addAnimals(baseUrl, key, fetch)), new Set([201]))
  const { rules } = await runConformance({
    baseUrl,
    key,
    profile: 'create',
    plan: 'pro',
    ...(fetch && { fetch, skip: ['AUTH-17'] }), // a handler in this process has no connections
  })
  const broken = rules
    .filter(({ verdict }) => /^(?:fail|warn|inconclusive)$/.test(verdict))
    .map(({ id, verdict, reason }) => `${id} ${verdict}: ${reason}`)
  assert.deepEqual(broken, [])
}

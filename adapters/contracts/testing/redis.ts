import { after } from 'node:test'
import { createClient } from 'redis'
import { connectResource, type Resource } from './resource.ts'
import { runId } from './run-id.ts'

export const redisUrl: string = process.env.PET_ADOPTION_TEST_REDIS_URL ?? 'redis://127.0.0.1:6379'

/** The Redis client method that the tests use. */
export interface TestRedis {
  sendCommand(args: readonly string[]): Promise<unknown>
}

/**
 * Connects to a Redis server, and closes the connection after the tests. The client reconnects when the server
 * recovers.
 */
export async function connectRedisAt(url: string): Promise<TestRedis> {
  let connected = false
  const reconnectStrategy = (_: number, cause: Error) => (connected ? 20 : cause)
  const client = createClient({ url, socket: { connectTimeout: 20_000, reconnectStrategy } })
  client.on('error', () => {}) // failed commands reject
  await client.connect()
  connected = true
  after(() => client.destroy())
  return client
}

/** Connects to this machine's Redis server. */
export function connectRedis(): Promise<Resource<TestRedis>> {
  return connectResource(() => connectRedisAt(redisUrl))
}

let prefixes = 0

/** Returns a function that creates key prefixes. The keys are deleted after the tests. */
export function createPrefixNamer(): () => string {
  const filePrefix = `pets-test-${runId}-${prefixes++}-`
  let count = 0
  after(async () => {
    if (count === 0) return
    const client = createClient({ url: redisUrl }) // the other client may already be closed
    await client.connect()
    for (const key of await client.keys(`${filePrefix}*`)) await client.del(key)
    client.destroy()
  })
  return () => `${filePrefix}${++count}:`
}

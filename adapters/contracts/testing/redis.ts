import { after } from 'node:test'
import { createClient } from 'redis'
import { type Part, service } from './part.ts'
import { runId } from './run-id.ts'

export const redisUrl: string = process.env.PET_ADOPTION_TEST_REDIS_URL ?? 'redis://127.0.0.1:6379'

/** Members of a client of the package redis that the tests use. */
export interface TestRedis {
  sendCommand(args: readonly string[]): Promise<unknown>
}

/** Connects a client that reconnects when its server is back. It is closed when the test file is done. */
export async function connectTo(url: string): Promise<TestRedis> {
  let connected = false
  const reconnectStrategy = (_: number, cause: Error) => (connected ? 20 : cause)
  const client = createClient({ url, socket: { connectTimeout: 20_000, reconnectStrategy } })
  client.on('error', () => {}) // a command that fails rejects by itself
  await client.connect()
  connected = true
  after(() => client.destroy())
  return client
}

/** Connects to the Redis of this machine, if there is one. */
export function connectRedis(): Promise<Part<TestRedis>> {
  return service(() => connectTo(redisUrl))
}

let prefixes = 0

/** Returns a function that creates prefixes for this test file. Their keys are deleted when the file is done. */
export function temporaryPrefixes(): () => string {
  const filePrefix = `pets-test-${runId}-${prefixes++}-`
  let count = 0
  after(async () => {
    if (count === 0) return
    const client = createClient({ url: redisUrl }) // that of the tests may be closed by now
    await client.connect()
    for (const key of await client.keys(`${filePrefix}*`)) await client.del(key)
    client.destroy()
  })
  return () => `${filePrefix}${++count}:`
}

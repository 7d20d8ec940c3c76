import { Agent } from 'node:http'
import { get } from './exchange.ts'
import type { Target } from './target.ts'

const requests = 2_000
const connections = 8
const paths = ['/v1/pets', '/v1/pets?limit=100', '/v1/pets/1', '/v1/pets?limit=0', '/healthz']

/** Sends two thousand usual requests, after which the memory of a server is that of normal use. */
export async function warmUp({ port, keys }: Target): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const path = (i: number) => paths[i % paths.length] ?? ''
  try {
    await Promise.all(
      Array.from({ length: connections }, async (_, first) => {
        for (let i = first; i < requests; i += connections) await get(port, path(i), keys.warmup, agent)
      }),
    )
  } finally {
    agent.destroy()
  }
}

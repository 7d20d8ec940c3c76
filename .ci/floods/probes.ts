import { Agent } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { get } from './exchange.ts'
import { createFreeClient } from './free-client.ts'
import { createGoodClient } from './good-client.ts'
import { waitedBy } from './process-figures.ts'
import { createStopwatch } from './stopwatch.ts'
import type { Target } from './target.ts'

/** What the well-behaved clients have seen. */
export interface Seen {
  /** The longest response times, in milliseconds. */
  readonly slowestHealth: number
  readonly slowestGood: number
  readonly violations: readonly string[]
}

/** Well-behaved clients, which send requests until they are stopped. */
export interface Probes {
  seen(): Seen
  stop(): Promise<void>
}

/** How often each sends a request, in milliseconds. */
const intervalMs = 100

/**
 * Starts the well-behaved clients: of `/healthz`, of a key within its limits, and of a key of the plan `free`. With
 * `reusesConnection`, the client of `/healthz` uses one connection, as the others do. Resolves once each has a response.
 */
export async function startProbes(
  target: Target,
  serverPid: number,
  reusesConnection: boolean,
): Promise<Probes> {
  const agents = Array.from({ length: 3 }, () => new Agent({ keepAlive: true }))
  const [healthAgent, goodAgent, freeAgent] = agents
  const waits = [serverPid, process.pid].map((pid) => () => waitedBy(pid))
  const health = createStopwatch(...waits)
  const good = createStopwatch(...waits)
  const violations = new Set<string>()
  let isOver = false

  const getHealth = async () => {
    const { status } = await get(target.port, '/healthz', undefined, reusesConnection && healthAgent)
    return status === 200 ? undefined : `status ${status}`
  }
  const useGood = createGoodClient(target, goodAgent)
  const free = createFreeClient(target, freeAgent)
  const clients = [
    { name: '/healthz', everyMs: intervalMs, send: () => health.time(getHealth) },
    { name: 'the good key', everyMs: intervalMs, send: () => good.time(useGood) },
    { name: 'the free key', ...free },
  ]
  async function sendOne({ name, send }: (typeof clients)[number]) {
    const violation = await send().catch((cause: Error) => cause.message)
    if (violation !== undefined && !isOver) violations.add(`${name}: ${violation}`)
  }
  async function repeat(client: (typeof clients)[number]) {
    while (!isOver) {
      const next = sleep(client.everyMs)
      await sendOne(client)
      await next
    }
  }

  await Promise.all(clients.map(sendOne))
  const loops = clients.map(repeat)
  return {
    seen: () => ({
      slowestHealth: health.slowest(),
      slowestGood: good.slowest(),
      violations: [...violations],
    }),
    async stop() {
      isOver = true
      for (const agent of agents) agent.destroy()
      await Promise.all(loops)
    },
  }
}

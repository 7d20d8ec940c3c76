import { type LoadOptions, saturate } from './load.ts'
import { mix } from './mix.ts'
import { type RowId, scenarioIds, scenarios } from './scenarios.ts'
import { type Server, startNode } from './server.ts'
import type { SideId } from './sides.ts'
import { verify, verifyKeyCheck, verifySameHeaders } from './verify.ts'

export interface Plan extends LoadOptions {
  readonly rounds: number
  readonly warmup: number
  readonly scenarios: readonly RowId[]
  readonly sides: readonly SideId[]
}

/** One measurement of one side in one scenario. */
export interface Sample {
  readonly side: SideId
  readonly scenario: RowId
  readonly round: number
  /** Requests a second. */
  readonly rate: number
  /** CPU time of the server for a request, in microseconds; undefined where the system does not report it. */
  readonly cpuMicros: number | undefined
}

/**
 * Measures all sides in turn. Every round starts new servers, and every other round reverses the order of the sides. This
 * distributes drift, such as changes of the clock rate or of a process's memory layout, evenly over the sides.
 */
export async function measure(plan: Plan, onSample: (sample: Sample) => void): Promise<Sample[]> {
  const samples: Sample[] = []
  for (let round = 0; round < plan.rounds; round++) {
    const order = round % 2 === 0 ? plan.sides : plan.sides.toReversed()
    const servers = await startAll(order)
    try {
      for (const scenario of plan.scenarios) {
        for (const [side, server] of servers) {
          const sample = { side, scenario, round, ...(await measureOne(server, scenario, plan)) }
          samples.push(sample)
          onSample(sample)
        }
      }
    } finally {
      await Promise.all([...servers.values()].map((server) => server.stop()))
    }
  }
  return samples
}

async function startAll(sides: readonly SideId[]): Promise<Map<SideId, Server>> {
  const servers = new Map<SideId, Server>()
  for (const side of sides) {
    const server = await startNode(`sides/${side}.ts`)
    servers.set(side, server)
    if (side !== 'bare') await verifyKeyCheck(server.origin, scenarios.list20)
  }
  const [ours, bare] = [servers.get('ours'), servers.get('bare')]
  if (ours && bare) for (const id of scenarioIds) await verifySameHeaders(ours, bare, scenarios[id])
  return servers
}

async function measureOne(
  server: Server,
  id: RowId,
  { warmup, seconds, connections }: Plan,
): Promise<Pick<Sample, 'rate' | 'cpuMicros'>> {
  // The responses of the mix depend on the changes before them: there, only the status counts.
  const check = async () => id === 'mix' || (await verify(server.origin, scenarios[id]))
  const requests = id === 'mix' ? mix : [scenarios[id]]
  await check()
  await saturate(server.origin, requests, { seconds: warmup, connections })
  const before = server.cpuSeconds()
  const load = await saturate(server.origin, requests, { seconds, connections })
  const after = server.cpuSeconds()
  if (load.failures > 0) throw new Error(`${load.failures} of ${load.requests} requests of ${id} failed`)
  await check()
  return {
    rate: load.requests / load.seconds,
    cpuMicros:
      before === undefined || after === undefined ? undefined : ((after - before) / load.requests) * 1e6,
  }
}

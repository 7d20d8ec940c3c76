import { type Load, saturate, sendAtConstantRate } from '../load.ts'
import { rateOf } from '../ratio.ts'
import { type ScenarioId, scenarios } from '../scenarios.ts'
import type { Server } from '../server.ts'
import { verify, verifyKeyCheck, verifySameHeaders } from '../verify.ts'
import { type StandaloneSideId, standaloneSides } from './sides.ts'

export interface StandalonePlan {
  /** The path of the Node that runs the servers. */
  readonly node: string
  readonly rounds: number
  /** Duration of a measurement, in seconds. */
  readonly seconds: number
  /** Duration of the warm-up before each measurement, in seconds; longer if the machine is slow. */
  readonly warmup: number
  readonly scenarios: readonly ScenarioId[]
  readonly connections: readonly number[]
  readonly sides: readonly StandaloneSideId[]
}

/** One measurement of one side. */
export interface StandaloneSample {
  readonly side: StandaloneSideId
  readonly scenario: ScenarioId
  readonly connections: number
  readonly round: number
  /** Requests a second. */
  readonly rate: number
  /** CPU time of the server process for a request, user and system, in microseconds. */
  readonly cpuMicros: number
}

/** Latencies at a constant rate. */
export interface LatencySample extends Pick<Load, 'p50' | 'p99'> {
  readonly side: StandaloneSideId
  readonly rate: number
}

export interface StandaloneSamples {
  readonly samples: StandaloneSample[]
  readonly latencies: LatencySample[]
  /** Resident memory after the round, in bytes. */
  readonly memory: Map<StandaloneSideId, number[]>
  /** The sides that the machine cannot run, with the reason. */
  readonly skipped: Map<StandaloneSideId, string>
}

/** The sides that hold half of the load of bare node:http. */
const latencySides: readonly StandaloneSideId[] = ['bare', 'silent', 'logged']

/** How many requests of a scenario a warm-up has at least. */
const warmRequests = 80_000

/** Measures all sides in turn, with new servers in each round, in an order that every round reverses. */
export async function measureStandalone(
  plan: StandalonePlan,
  onSample: (sample: StandaloneSample) => void,
): Promise<StandaloneSamples> {
  const result: StandaloneSamples = { samples: [], latencies: [], memory: new Map(), skipped: new Map() }
  for (let round = 0; round < plan.rounds; round++) {
    const order = round % 2 === 0 ? plan.sides : plan.sides.toReversed()
    const servers = new Map<StandaloneSideId, Server>()
    try {
      await startSides(plan, order, servers, result.skipped)
      for (const scenario of plan.scenarios)
        for (const connections of plan.connections)
          for (const [side, server] of servers) {
            const figures = await measureOne(server, scenario, connections, plan)
            const sample = { side, scenario, connections, round, ...figures }
            result.samples.push(sample)
            onSample(sample)
          }
      result.latencies.push(...(await latenciesAtHalfLoad(servers, result.samples, plan)))
      for (const [side, server] of servers)
        result.memory.set(side, [...(result.memory.get(side) ?? []), server.memory() ?? Number.NaN])
    } finally {
      await Promise.all([...servers.values()].map((server) => server.stop()))
    }
  }
  return result
}

async function startSides(
  { node, scenarios: rows }: StandalonePlan,
  order: readonly StandaloneSideId[],
  servers: Map<StandaloneSideId, Server>,
  skipped: StandaloneSamples['skipped'],
): Promise<void> {
  for (const side of order) {
    const server = await standaloneSides[side].start(node)
    if ('reason' in server) {
      skipped.set(side, server.reason)
      continue
    }
    servers.set(side, server)
    if (side !== 'bare') await verifyKeyCheck(server.origin, scenarios.list20)
    for (const id of rows) await verify(server.origin, scenarios[id])
  }
  const bare = servers.get('bare')
  const other = [...servers.values()].find((server) => server !== bare)
  if (bare && other) for (const id of rows) await verifySameHeaders(other, bare, scenarios[id])
}

/**
 * Sends as many requests as V8 needs to optimize their code, on a busy machine too. The program discards that code when it
 * collects garbage because it is idle, which it is while other sides are measured: the next 60,000 requests cost more.
 */
async function warmUp(server: Server, id: ScenarioId, seconds: number): Promise<void> {
  let requests = 0
  while (requests < warmRequests)
    requests += (await saturate(server.origin, [scenarios[id]], { seconds, connections: 64 })).requests
}

async function measureOne(
  server: Server,
  id: ScenarioId,
  connections: number,
  { warmup, seconds }: StandalonePlan,
): Promise<Pick<StandaloneSample, 'rate' | 'cpuMicros'>> {
  await warmUp(server, id, warmup)
  const before = server.cpuSeconds() ?? Number.NaN
  const load = await saturate(server.origin, [scenarios[id]], { seconds, connections })
  const cpuSeconds = (server.cpuSeconds() ?? Number.NaN) - before
  return { rate: rateOf(load), cpuMicros: (cpuSeconds / load.requests) * 1e6 }
}

/** At half of the rate of getPet that bare node:http has shown with the fewest connections. */
async function latenciesAtHalfLoad(
  servers: ReadonlyMap<StandaloneSideId, Server>,
  samples: readonly StandaloneSample[],
  { connections: counts, seconds }: StandalonePlan,
): Promise<LatencySample[]> {
  const connections = Math.min(...counts)
  const bare = samples.findLast(
    (sample) => sample.side === 'bare' && sample.scenario === 'getPet' && sample.connections === connections,
  )
  if (!bare) return []
  const rate = Math.round(bare.rate / 2)
  const latencies: LatencySample[] = []
  for (const [side, server] of servers) {
    if (!latencySides.includes(side)) continue
    await warmUp(server, 'getPet', seconds)
    const load = await sendAtConstantRate(server.origin, scenarios.getPet, { rate, seconds, connections })
    rateOf(load) // throws if a request failed
    latencies.push({ side, rate, p50: load.p50, p99: load.p99 })
  }
  return latencies
}

import { deepEqual, equal } from 'node:assert/strict'
import { requestHeaders, saturate } from './load.ts'
import { type Request, type RowId, type Scenario, scenarios } from './scenarios.ts'
import type { Server } from './server.ts'
import { key } from './world.ts'

export const defaultConnections = 32

/** A server that is compared with others. */
export interface Side {
  readonly title: string
  /** The server checks no keys. */
  readonly isOpen?: boolean
  /** Starts the server. `started` contains the round's earlier servers by their ids. */
  start(started: ReadonlyMap<string, Server>): Promise<Server>
}

export type Sides = Readonly<Record<string, Side>>

export interface Plan {
  readonly rounds: number
  readonly rows: readonly RowId[]
  readonly warmUpSeconds: number
}

/** What one server did in one row and round. */
export interface Sample {
  readonly side: string
  readonly row: RowId
  readonly round: number
  /** Requests per second. */
  readonly rate: number
  /** CPU time of the server's process per request. */
  readonly cpuMicros: number
  /** 99th percentile of the response time. */
  readonly p99Ms: number
}

/**
 * Starts all servers in each round and measures them row by row, in reverse order every second round. So drift, such as
 * changes of the clock rate, affects all servers equally.
 *
 * @throws AssertionError if a server's response differs from the expected one
 */
export async function measure(
  plan: Plan,
  sides: Sides,
  label: string,
  connections: number = defaultConnections,
): Promise<Sample[]> {
  const samples: Sample[] = []
  for (let round = 0; round < plan.rounds; round++) {
    const servers = new Map<string, Server>()
    try {
      for (const [id, side] of Object.entries(sides)) {
        const server = await side.start(servers)
        servers.set(id, server)
        await verifyServer(server, side, plan.rows)
      }
      const order = round % 2 === 0 ? [...servers] : [...servers].toReversed()
      for (const row of plan.rows) {
        const load = { request: scenarios[row].request, connections, warmUpSeconds: plan.warmUpSeconds }
        for (const [side, measured] of await measureRow(order, load)) {
          const sample = { side, row, round, ...measured }
          samples.push(sample)
          process.stderr.write(`${formatProgress(plan, label, sample)}\n`)
        }
      }
    } finally {
      await Promise.all([...servers.values()].map((server) => server.stop()))
    }
  }
  return samples
}

function formatProgress({ rounds }: Plan, label: string, sample: Sample): string {
  const { side, row, round, rate, cpuMicros, p99Ms } = sample
  const what = `${label}, round ${round + 1} of ${rounds}: ${row.padEnd(9)}  ${side.padEnd(8)}`
  return `${what}  ${Math.round(rate)}/s  ${cpuMicros.toFixed(1)} µs  ${p99Ms.toFixed(2)} ms`
}

/** Warms up every server before it measures the first one. */
async function measureRow(
  servers: readonly (readonly [side: string, server: Server])[],
  load: { readonly request: Request; readonly connections: number; readonly warmUpSeconds: number },
) {
  const { request, connections, warmUpSeconds } = load
  for (const [, { origin }] of servers)
    for (let second = 0; second < warmUpSeconds; second++) await saturate(origin, request, connections)
  const measured: [side: string, Pick<Sample, 'rate' | 'cpuMicros' | 'p99Ms'>][] = []
  for (const [side, { origin, cpuSeconds }] of servers) {
    const before = cpuSeconds()
    const { requests, seconds, p99Ms } = await saturate(origin, request, connections)
    const cpuMicros = ((cpuSeconds() - before) / requests) * 1e6
    measured.push([side, { rate: requests / seconds, cpuMicros, p99Ms }])
  }
  return measured
}

/** Checks the response of each row, and that requests without a valid key are rejected. */
async function verifyServer(
  { origin }: Server,
  { isOpen = false }: Side,
  rows: readonly RowId[],
): Promise<void> {
  for (const row of rows) await verifyScenario(origin, scenarios[row])
  const target = `${origin}/v1/pets`
  for (const headers of isOpen ? [] : [{}, { Authorization: `Bearer ${key}x` }]) {
    const response = await fetch(target, { headers })
    await response.arrayBuffer()
    equal(response.status, 401)
  }
}

async function verifyScenario(origin: string, { request, expected }: Scenario): Promise<void> {
  const { method, target, body } = request
  const response = await fetch(origin + target, { method, headers: requestHeaders, ...(body && { body }) })
  const received: unknown = await response.json()
  equal(response.status, expected.status)
  if (Array.isArray(received) || method === 'GET') deepEqual(received, expected.body)
  else deepEqual({ ...(received as object), id: 0 }, { ...expected.body, id: 0 }) // each round creates more animals
}

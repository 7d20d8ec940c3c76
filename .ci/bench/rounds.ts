import { deepEqual, equal } from 'node:assert/strict'
import { requestHeaders, saturate } from './load.ts'
import { type Request, type RowId, type Scenario, scenarios } from './scenarios.ts'
import type { Server } from './server.ts'
import { key } from './world.ts'

/** A server that is measured. */
export interface Side {
  readonly title: string
  /** Set if the server checks no key. */
  readonly isOpen?: boolean
  /** Starts it with the animals of the scenarios. `started` has the sides before it, by their ids. */
  start(started: ReadonlyMap<string, Server>): Promise<Server>
}

export type Sides = Readonly<Record<string, Side>>

export interface Plan {
  readonly rounds: number
  readonly rows: readonly RowId[]
}

/** One measurement of one side in one row. */
export interface Sample {
  readonly side: string
  readonly row: RowId
  readonly round: number
  /** Requests a second. */
  readonly rate: number
  /** CPU time of the server's process for a request, in microseconds; NaN if the system does not report it. */
  readonly cpuMicros: number
}

/**
 * Measures all sides in turn, a second at a time. Every round starts new servers, and every other round reverses the
 * order of the sides. This distributes drift, such as changes of the clock rate or of a process's memory layout, evenly
 * over the sides.
 *
 * @param label Which measurement the progress on stderr is of.
 */
export async function measure(plan: Plan, sides: Sides, label: string): Promise<Sample[]> {
  const samples: Sample[] = []
  for (let round = 0; round < plan.rounds; round++) {
    const servers = new Map<string, Server>()
    try {
      for (const [id, side] of Object.entries(sides)) {
        const server = await side.start(servers)
        servers.set(id, server)
        await verify(server, side, plan.rows)
      }
      const order = round % 2 === 0 ? [...servers] : [...servers].toReversed()
      for (const row of plan.rows) {
        for (const [side, measured] of await measureRow(order, scenarios[row].request)) {
          const sample = { side, row, round, ...measured }
          samples.push(sample)
          process.stderr.write(`${progress(plan, label, sample)}\n`)
        }
      }
    } finally {
      await Promise.all([...servers.values()].map((server) => server.stop()))
    }
  }
  return samples
}

function progress({ rounds }: Plan, label: string, { side, row, round, rate, cpuMicros }: Sample): string {
  const what = `${label}, round ${round + 1} of ${rounds}: ${row.padEnd(9)}  ${side.padEnd(8)}`
  return `${what}  ${Math.round(rate)}/s  ${cpuMicros.toFixed(1)} µs`
}

/** JavaScriptCore compiles for two seconds, on the core that serves. */
const warmSeconds = 3

/** Warms the servers up in turn, and measures each for a second. */
async function measureRow(
  servers: readonly (readonly [side: string, server: Server])[],
  request: Request,
): Promise<readonly (readonly [side: string, Pick<Sample, 'rate' | 'cpuMicros'>])[]> {
  for (const [, { origin }] of servers)
    for (let second = 0; second < warmSeconds; second++) await saturate(origin, request)
  const measured: [string, Pick<Sample, 'rate' | 'cpuMicros'>][] = []
  for (const [side, { origin, cpuSeconds }] of servers) {
    const before = cpuSeconds()
    const { requests, seconds } = await saturate(origin, request)
    const cpuMicros = ((cpuSeconds() - before) / requests) * 1e6
    measured.push([side, { rate: requests / seconds, cpuMicros }])
  }
  return measured
}

/** Throws unless a server returns the responses of the scenarios, and 401 without a valid key. */
async function verify({ origin }: Server, { isOpen = false }: Side, rows: readonly RowId[]): Promise<void> {
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
  else deepEqual({ ...(received as object), id: 0 }, { ...expected.body, id: 0 }) // ids go on
}

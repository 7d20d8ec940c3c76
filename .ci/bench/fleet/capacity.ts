import type { Cell, Cost } from './figures.ts'
import { type OperationId, operationIds, operations } from './operations.ts'
import type { Size } from './world.ts'

/** What the arithmetic assumes besides the measured costs. */
export const assumptions = {
  /** The share of each core that is used: beyond it, requests begin to wait for each other. */
  headroom: 0.6,
  /** A server runs on one core, and so does a Redis. */
  coresOfServer: 1,
  /** Connections of each server to PostgreSQL, at most. */
  connectionsOfServer: 10,
} as const

/** What a mix of operations costs each part for a request on average. */
export interface MixCost extends Pick<Cost, 'serverMicros' | 'redisMicros' | 'responseBytes' | 'walBytes'> {
  /** CPU time of PostgreSQL for the operations that only read, in microseconds for a request of the mix. */
  readonly readMicros: number
  /** The same for the operations that add animals. */
  readonly writeMicros: number
}

/** What a rate of requests takes. */
export interface Capacity {
  readonly servers: number
  readonly redisShards: number
  /** Cores of PostgreSQL for reads and for writes: a primary alone needs both. */
  readonly readCores: number
  readonly writeCores: number
  /** Connections to PostgreSQL, at most. */
  readonly connections: number
  /** Responses to the clients, in Gbit/s. */
  readonly gigabits: number
  /** Write-ahead log, in MB/s. */
  readonly walMegabytes: number
}

/**
 * Returns what a request of the mix costs on average, by the cells of the largest fleet that was measured.
 *
 * @throws Error if an operation was not measured with this size.
 */
export function costOfMix(cells: readonly Cell[], size: Size): MixCost {
  const servers = Math.max(...cells.map((cell) => cell.servers))
  const sum = (costOf: (cell: Cell) => number) =>
    operationIds.reduce(
      (total, id) => total + operations[id].share * costOf(cellOf(cells, id, size, servers)),
      0,
    )
  const postgres = (adds: boolean) =>
    sum(({ operation, postgresMicros }) => (operations[operation].adds === adds ? postgresMicros : 0))
  return {
    serverMicros: sum(({ serverMicros }) => serverMicros),
    redisMicros: sum(({ redisMicros }) => redisMicros),
    responseBytes: sum(({ responseBytes }) => responseBytes),
    walBytes: sum(({ walBytes }) => walBytes),
    readMicros: postgres(false),
    writeMicros: postgres(true),
  }
}

function cellOf(cells: readonly Cell[], operation: OperationId, size: Size, servers: number): Cell {
  const found = cells.find(
    (cell) => cell.operation === operation && cell.size === size && cell.servers === servers,
  )
  if (!found) throw new Error(`there is no figure for ${operation} with ${servers} servers and ${size} keys`)
  return found
}

/** Returns what a rate of requests a second takes, if a request costs the same at every rate. */
export function capacityFor(rate: number, cost: MixCost): Capacity {
  const cores = (micros: number) => Math.ceil((rate * micros) / (1e6 * assumptions.headroom))
  const servers = Math.ceil(cores(cost.serverMicros) / assumptions.coresOfServer)
  return {
    servers,
    redisShards: cores(cost.redisMicros),
    readCores: cores(cost.readMicros),
    writeCores: cores(cost.writeMicros),
    connections: servers * assumptions.connectionsOfServer,
    gigabits: (rate * cost.responseBytes * 8) / 1e9,
    walMegabytes: (rate * cost.walBytes) / 1e6,
  }
}

/** Returns the requests a second that a number of cores can do, if each costs so many microseconds. */
export function rateOfCores(cores: number, micros: number): number {
  return (cores * assumptions.headroom * 1e6) / micros
}

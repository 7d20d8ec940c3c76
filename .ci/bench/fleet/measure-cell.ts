import type { Cell } from './figures.ts'
import { type FleetLoad, sendAll } from './load.ts'
import { type OperationId, operations, scattered } from './operations.ts'
import type { PostgresPart } from './postgres-part.ts'
import type { RedisPart } from './redis-part.ts'
import type { StandalonePart } from './standalone-part.ts'
import { keyOf, restore, type Size } from './world.ts'

/** The parts of a fleet. */
export interface Fleet {
  readonly servers: readonly StandalonePart[]
  readonly redis: RedisPart
  readonly postgres: PostgresPart
}

export interface Load {
  readonly requests: number
  /** Connections to each server. */
  readonly connections: number
}

/** How many requests precede a measurement: so many that each of three servers reads most of a thousand keys. */
const warmUp = 3_000

/** Numbers the requests of a run, so that each measurement goes on with other keys and animals. */
let numbered = 0

/** Measures what a request of an operation costs each part. */
export async function measureCell(
  { servers, redis, postgres }: Fleet,
  operation: OperationId,
  size: Size,
  { requests, connections }: Load,
): Promise<Cell> {
  const { request, adds } = operations[operation]
  const load = (count: number): FleetLoad => {
    const first = numbered
    numbered += count
    return {
      ports: servers.map(({ port }) => port),
      requests: count,
      connections: connections * servers.length,
      request: (number) => ({
        ...request(first + number, size),
        key: keyOf(scattered(first + number, size)),
      }),
    }
  }
  const read = async () => ({
    server: servers.reduce((sum, { cpuSeconds }) => sum + cpuSeconds(), 0),
    redis: redis.cpuSeconds(),
    redisCalls: await redis.calls(),
    postgres: postgres.cpuSeconds(),
    ...(await postgres.statements()),
  })

  await sendAll(load(warmUp))
  const before = await read()
  const bytes = await sendAll(load(requests))
  const after = await read()
  const each = (name: keyof typeof before, unit = 1) =>
    round(((after[name] - before[name]) * unit) / requests)
  if (adds) await restore(postgres, size)
  return {
    operation,
    servers: servers.length,
    size,
    serverMicros: each('server', 1e6),
    redisMicros: each('redis', 1e6),
    redisCalls: each('redisCalls'),
    postgresMicros: each('postgres', 1e6),
    statements: each('calls'),
    walBytes: each('walBytes'),
    responseBytes: round(bytes / requests),
  }
}

/** Rounds to three digits: more are noise. */
export function round(value: number): number {
  return Number(value.toPrecision(3))
}

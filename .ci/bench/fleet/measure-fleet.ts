import { type Endings, withEndings } from './endings.ts'
import type { Cell, Cost, FleetFigures, Stock } from './figures.ts'
import { machine } from './machine.ts'
import { type Fleet, type Load, measureCell } from './measure-cell.ts'
import { measureKeysFile } from './measure-keys-file.ts'
import { operationIds } from './operations.ts'
import { startPostgres } from './postgres-part.ts'
import { startRedis } from './redis-part.ts'
import { startStandalone } from './standalone-part.ts'
import { measureStock } from './stock.ts'
import { fill, type Size, sizes } from './world.ts'

/** The numbers of servers that are measured. */
const fleets = [1, 2, 3] as const

export interface FleetPlan extends Load {
  /** How often each cell is measured. The least cost counts, because whatever else runs on the machine only adds. */
  readonly rounds: number
}

/** Measures every operation with every number of servers, of keys and of animals. `onCell` receives each measurement. */
export async function measureFleet(plan: FleetPlan, onCell: (cell: Cell) => void): Promise<FleetFigures> {
  const before = machine()
  const keysFile = await measureKeysFile()
  return withEndings(async (endings) => {
    const parts = { redis: await startRedis(endings), postgres: await startPostgres(endings) }
    const cells: Cell[] = []
    const stocks: Stock[] = []
    for (const size of sizes) {
      const fleet = await startFleet(parts, size, endings)
      cells.push(...(await measureCells(fleet, size, plan, onCell)))
      stocks.push(await measureStock(fleet, size))
      for (const server of fleet.servers) await server.stop()
    }
    const [version] = await parts.postgres.query<{ server_version: string }>('SHOW server_version')
    return {
      date: new Date().toISOString().slice(0, 10),
      machine: before,
      node: process.versions.node,
      redis: await parts.redis.version(),
      postgres: version?.server_version.split(' ')[0] ?? '',
      ...plan,
      cells,
      stocks,
      keysFile,
    }
  })
}

/** Starts the servers of a size, with an empty Redis. */
async function startFleet(
  { redis, postgres }: Omit<Fleet, 'servers'>,
  size: Size,
  endings: Endings,
): Promise<Fleet> {
  const start = () => startStandalone(['--postgres', postgres.url, '--redis', redis.url], endings)
  const creator = await start() // creates the tables
  await fill(postgres, size)
  await creator.stop()
  await redis.clear()
  const servers = []
  for (const _ of fleets) servers.push(await start())
  return { servers, redis, postgres }
}

async function measureCells(
  fleet: Fleet,
  size: Size,
  { rounds, ...load }: FleetPlan,
  onCell: (cell: Cell) => void,
): Promise<readonly Cell[]> {
  const least = new Map<string, Cell>()
  for (let round = 0; round < rounds; round++) {
    for (const count of fleets) {
      const servers = fleet.servers.slice(0, count)
      for (const operation of operationIds) {
        const cell = await measureCell({ ...fleet, servers }, operation, size, load)
        onCell(cell)
        const key = `${operation} ${count}`
        least.set(key, leastOf(cell, least.get(key) ?? cell))
      }
    }
  }
  return [...least.values()]
}

const costNames = [
  'serverMicros',
  'redisMicros',
  'redisCalls',
  'postgresMicros',
  'statements',
  'walBytes',
  'responseBytes',
] as const satisfies readonly (keyof Cost)[]

function leastOf(one: Cell, other: Cell): Cell {
  const costs = costNames.map((name) => [name, Math.min(one[name], other[name])] as const)
  return { ...one, ...Object.fromEntries(costs) }
}

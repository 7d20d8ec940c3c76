import { assumptions, type MixCost, rateOfCores } from './capacity.ts'

/** A bound that a growing fleet reaches, and how it is passed. */
export interface Step {
  /** What gives way. */
  readonly part: string
  /** Returns the requests a second at which it does. */
  rate(cost: MixCost): number
  readonly remedy: string
  readonly reason: string
  /** Whether the package has what the remedy needs. */
  readonly exists: boolean
  /** Whether it bounds the rate of each single key, and not that of the fleet. */
  readonly isOfOneKey?: true
}

/** Connections of PostgreSQL by default: `max_connections` less `superuser_reserved_connections`. */
const defaultConnections = 97

/** Cores of a large machine, and of the largest that are common. */
const largeMachine = 16
const largestMachine = 64

/** Bandwidth of a common load balancer, in bits a second. */
const bandwidth = 10e9

const rateOfServer = ({ serverMicros }: MixCost) => rateOfCores(assumptions.coresOfServer, serverMicros)
const rateOfRedis = ({ redisMicros }: MixCost) => rateOfCores(1, redisMicros)
const rateOfPostgres = (cores: number) => (cost: MixCost) =>
  rateOfCores(cores, cost.readMicros + cost.writeMicros)

const steps: readonly Step[] = [
  {
    part: 'one server',
    rate: rateOfServer,
    remedy: 'add servers behind a load balancer',
    reason: 'a server is one process, which uses one core',
    exists: true,
  },
  {
    part: `the ${defaultConnections} connections of PostgreSQL`,
    rate: (cost) => Math.floor(defaultConnections / assumptions.connectionsOfServer) * rateOfServer(cost),
    remedy: 'raise `max_connections`, or put PgBouncer in transaction mode in between',
    reason: `each server opens up to ${assumptions.connectionsOfServer}, and a replacement of the servers runs old and new ones at once`,
    exists: true,
  },
  {
    part: 'one Redis',
    rate: rateOfRedis,
    remedy: 'shards: `redis+cluster://`',
    reason: 'Redis runs scripts on one core; each key has its own place, so that keys spread over the shards',
    exists: true,
  },
  {
    part: 'one key on its shard',
    rate: rateOfRedis,
    remedy: 'a local share of its limit, taken from Redis in advance',
    reason: 'all requests of a key go to one shard, whatever their number',
    exists: false,
    isOfOneKey: true,
  },
  {
    part: `PostgreSQL on ${largeMachine} cores`,
    rate: rateOfPostgres(largeMachine),
    remedy: 'a larger machine',
    reason: 'a request costs one statement, and a key that is not cached costs a share of another one',
    exists: true,
  },
  {
    part: `a balancer of ${bandwidth / 1e9} Gbit/s`,
    rate: ({ responseBytes }) => (bandwidth * assumptions.headroom) / (responseBytes * 8),
    remedy: 'several balancers by DNS, or compression there',
    reason: 'a page of 100 animals has 8 kB',
    exists: true,
  },
  {
    part: `PostgreSQL on ${largestMachine} cores`,
    rate: rateOfPostgres(largestMachine),
    remedy: 'read replicas for getPet, the pages and the keys',
    reason:
      'nine of ten requests only read. A replica is behind: a client that reads its own animal at once has to be sent to the primary',
    exists: false,
  },
  {
    part: `a primary of ${largestMachine} cores that only writes`,
    rate: ({ writeMicros }) => rateOfCores(largestMachine, writeMicros),
    remedy: 'partitions of the animals on several PostgreSQL, by id',
    reason: 'only the primary can add; each partition needs ids of its own, and a page has to merge them',
    exists: false,
  },
]

/** A step, and the requests a second at which it is reached. */
export type PlacedStep = Step & { readonly at: number }

/** Returns the steps in the order in which a growing fleet reaches them. */
export function stepsInOrder(cost: MixCost): readonly PlacedStep[] {
  return steps.map((step) => ({ ...step, at: step.rate(cost) })).toSorted((a, b) => a.at - b.at)
}

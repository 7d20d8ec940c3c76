import type { OperationId } from './operations.ts'
import type { Size } from './world.ts'

/** What one request costs each part. */
export interface Cost {
  /** CPU time of the server that handles it, in microseconds. */
  readonly serverMicros: number
  /** CPU time of Redis, in microseconds. */
  readonly redisMicros: number
  /** Calls of Redis. */
  readonly redisCalls: number
  /** CPU time of all processes of PostgreSQL, in microseconds. */
  readonly postgresMicros: number
  /** Statements of PostgreSQL. */
  readonly statements: number
  /** Write-ahead log of PostgreSQL, in bytes. */
  readonly walBytes: number
  /** The response with its head, in bytes. */
  readonly responseBytes: number
}

/** The cost of one operation with so many servers, and so many keys and animals. */
export interface Cell extends Cost {
  readonly operation: OperationId
  readonly servers: number
  readonly size: Size
}

/** What a number of keys and animals takes besides. */
export interface Stock {
  readonly size: Size
  /** Until a server listens, in milliseconds. */
  readonly startMs: number
  /** Resident memory of a server after the load, in MiB. */
  readonly serverMiB: number
  /** Memory of Redis for each key that was counted, in bytes. */
  readonly redisBytesPerKey: number
  /** The table of the keys and its indexes, in MiB. */
  readonly keysMiB: number
  /** The table of the animals and its indexes, in MiB. */
  readonly animalsMiB: number
  /** How long PostgreSQL counts the keys, as it does for `/metrics`, in milliseconds. */
  readonly countMs: number
}

/** What a keys file costs each server. */
export interface KeysFile {
  readonly keys: number
  readonly fileMiB: number
  readonly startMs: number
  readonly serverMiB: number
}

/** Where the figures were measured. */
export interface Machine {
  readonly cores: number
  readonly gigahertz: number
  /** How many processes of others ran or waited for a core before the run, as the average of a minute. */
  readonly otherLoad: number
}

/** The figures of a run. */
export interface FleetFigures {
  /** The day of the run, as an ISO date. */
  readonly date: string
  readonly machine: Machine
  readonly node: string
  readonly redis: string
  readonly postgres: string
  /** How often each cell was measured. It has the least cost of each part. */
  readonly rounds: number
  /** Requests of each measurement. */
  readonly requests: number
  /** Connections of the clients to each server. */
  readonly connections: number
  readonly cells: readonly Cell[]
  readonly stocks: readonly Stock[]
  readonly keysFile: KeysFile
}

import { operations, type PetService } from '../../../../core/index.ts'
import { unavailabilities } from '../../../redis.ts'
import type { OpenKeys } from '../../keys/open-keys.ts'
import { countOpenDescriptors, readDescriptorLimit } from '../../lifecycle/connections.ts'
import { redisCauses } from '../../limiter/redis-problem.ts'
import type { LimiterFigures } from '../../limiter/redis-watch.ts'
import type { OpenStorage } from '../../storage/open-storage.ts'
import type { Readings } from './metrics.ts'
import type { Sample } from './prometheus.ts'

/** Returns the readings of the keys that `figures` describes. */
export function keyReadings(figures: OpenKeys['figures']): Readings {
  return {
    pet_adoption_keys: () => figures()?.inForce,
    pet_adoption_keys_fingerprint: () => figures()?.fingerprint,
    pet_adoption_keys_loaded_timestamp_seconds() {
      const { loadedAt } = figures() ?? {}
      return loadedAt && loadedAt / 1000
    },
    pet_adoption_next_key_expiry_timestamp_seconds() {
      const { nextExpiry } = figures() ?? {}
      return nextExpiry && nextExpiry / 1000
    },
  }
}

/** Returns the readings of the limiter that `figures` describes. */
export function limiterReadings(figures: () => LimiterFigures): Readings {
  return {
    pet_adoption_limiter_mode: () => stateOf(['shared', ...unavailabilities], figures().mode),
    pet_adoption_redis_up() {
      const { redis } = figures()
      return redis && Number(redis.isUp)
    },
    pet_adoption_redis_problem() {
      const { redis } = figures()
      return redis && stateOf(Object.keys(redisCauses), redis.cause)
    },
  }
}

/** Returns the readings of a storage, as it was when it was last checked. Without a pool, the metric of the pool is absent. */
export function storageReadings({
  health,
  connections,
}: Pick<OpenStorage, 'health' | 'connections'>): Readings {
  return {
    pet_adoption_store_up: () => Number(health().readFailure === undefined),
    pet_adoption_store_writable() {
      const { readFailure, writeFailure } = health()
      return Number(readFailure === undefined && writeFailure === undefined)
    },
    pet_adoption_pool_connections() {
      if (!connections) return undefined
      const { used, idle, waiting } = connections()
      return [
        [used, 'used'],
        [idle, 'idle'],
        [waiting, 'waiting'],
      ]
    },
  }
}

/** Returns the readings of the operations, which are facts of the interface. */
export function operationReadings(): Readings {
  const removals = operations.flatMap(({ id, deprecated }): Sample[] =>
    deprecated ? [[deprecated.removal / 1000, id]] : [],
  )
  return { pet_adoption_operation_removal_timestamp_seconds: () => removals }
}

/** Returns 1 for the value in force, and 0 for the others. */
function stateOf(values: readonly string[], inForce: string | undefined): readonly Sample[] {
  return values.map((value) => [value === inForce ? 1 : 0, value])
}

/**
 * Returns the readings of the process. The names are those of Prometheus' client libraries.
 *
 * @param startedAt When the process began, in ms since the epoch.
 */
export function processReadings(startedAt: number): Readings {
  return {
    process_start_time_seconds: () => startedAt / 1000,
    process_resident_memory_bytes: () => process.memoryUsage.rss(),
    process_cpu_seconds_total() {
      const { user, system } = process.cpuUsage()
      return (user + system) / 1e6
    },
    process_open_fds: countOpenDescriptors,
    process_max_fds: readDescriptorLimit,
  }
}

/** Counts the requests of a service that wait for something. */
export interface InFlight {
  /** How many requests have no response yet. */
  readonly count: number
  /** Returns the service, with its requests counted. One that gets its response at once costs nothing. */
  watch(service: PetService): PetService
}

/** Creates a count of requests in flight. */
export function createInFlight(): InFlight {
  let count = 0
  const end = () => {
    count--
  }
  return {
    get count() {
      return count
    },
    watch: (service) => ({
      ...service,
      handle(request) {
        const response = service.handle(request)
        if (response instanceof Promise) {
          count++
          void response.then(end, end)
        }
        return response
      },
    }),
  }
}

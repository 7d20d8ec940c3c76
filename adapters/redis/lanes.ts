import { type Breaker, type BreakerEvents, createBreaker } from '../breaker/breaker.ts'
import { createGate, type Gate } from '../breaker/gate.ts'
import type { FailingPart, RedisEvents } from './events.ts'

/** What the calls of one server of Redis share. A server that fails or is slow delays no call of another one. */
export interface Lane {
  readonly gateOfKeys: Gate
  /** Apart, so that no caller with a key waits behind anonymous clients. */
  readonly gateOfAddresses: Gate
  readonly breaker: Breaker
  /** For addresses alone: a Redis at its `maxmemory` stores no more of them. */
  readonly memoryBreaker: Breaker
}

/** How many calls of one server are under way at once, for keys and for addresses. */
const maxCalls = 128

/** The most lanes. A cluster has fewer servers; further ones share the last lane. */
const maxLanes = 1024

/** Returns a function that returns the lane of a shard. `onRecover` is called when the last lane has recovered. */
export function createLanes(events: RedisEvents): (shard: number) => Lane {
  const lanes = new Map<number, Lane>()
  const eventsOf = { redis: together(events, 'redis'), memory: together(events, 'memory') }

  function create(): Lane {
    return {
      gateOfKeys: createGate(maxCalls),
      gateOfAddresses: createGate(maxCalls),
      breaker: createBreaker(3, eventsOf.redis()),
      memoryBreaker: createBreaker(1, eventsOf.memory()),
    }
  }

  return (shard) => {
    const index = lanes.has(shard) || lanes.size < maxLanes ? shard : -1
    const known = lanes.get(index)
    if (known) return known
    const lane = create()
    lanes.set(index, lane)
    return lane
  }
}

/** Returns a function that creates the events of one more breaker of a part. */
function together({ onFault, onRecover }: RedisEvents, part: FailingPart): () => BreakerEvents {
  const failing = new Set<BreakerEvents>()
  return () => {
    const own: BreakerEvents = {
      onFault(error) {
        failing.add(own)
        onFault?.(error, part)
      },
      onRecover() {
        failing.delete(own)
        if (failing.size === 0) onRecover?.(part)
      },
    }
    return own
  }
}

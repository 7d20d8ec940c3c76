import { type Breaker, type BreakerEvents, createBreaker } from '../breaker/breaker.ts'
import { createGate, type Gate } from '../breaker/gate.ts'
import type { FailingPart, RedisEvents } from './events.ts'

/** What the calls of one server of Redis share. One that fails or is slow delays no call of another one. */
export interface Server {
  readonly gateOfKeys: Gate
  /** Apart, so that no caller with a key waits behind anonymous clients. */
  readonly gateOfAddresses: Gate
  readonly breaker: Breaker
  /** For addresses alone: a Redis at its `maxmemory` stores no more of them. */
  readonly memoryBreaker: Breaker
}

/** How many calls of one server are under way at once, for keys and for addresses. */
const maxCalls = 128

/** The most servers. A cluster has fewer; further ones count as one. */
const maxServers = 1024

/** Returns a function that returns the server of a shard. `onRecover` is called when the last of them has recovered. */
export function createServers(events: RedisEvents): (shard: number) => Server {
  const servers = new Map<number, Server>()
  const eventsOf = { redis: sharedEvents(events, 'redis'), memory: sharedEvents(events, 'memory') }

  function create(): Server {
    return {
      gateOfKeys: createGate(maxCalls),
      gateOfAddresses: createGate(maxCalls),
      breaker: createBreaker(3, eventsOf.redis()),
      memoryBreaker: createBreaker(1, eventsOf.memory()),
    }
  }

  return (shard) => {
    const index = servers.has(shard) || servers.size < maxServers ? shard : -1
    const known = servers.get(index)
    if (known) return known
    const server = create()
    servers.set(index, server)
    return server
  }
}

/** Returns a function that creates the events of one more breaker of a part. */
function sharedEvents({ onFault, onRecover }: RedisEvents, part: FailingPart): () => BreakerEvents {
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

import { type Breaker, type BreakerEvents, createBreaker } from '../breaker/breaker.ts'
import { createGate, type Gate } from '../breaker/gate.ts'
import { isAddress, isOutOfMemory, type ScriptInput, type ScriptResult } from './script-call.ts'

/** What fails: `redis`, all that a call needs; `memory`, only the memory for further addresses. */
export type FailingPart = 'redis' | 'memory'

/** What a limiter reports about its Redis. */
export interface RedisEvents {
  /**
   * Called with the first failure after a success. It is also a failure that Redis has no memory left for addresses. Without
   * it, the `onError` of the service is called. Each server of a cluster has failures of its own.
   */
  readonly onFault?: ((error: unknown, part: FailingPart) => void) | undefined
  /** Called with the first success after a failure; in a cluster, once no server fails any more. */
  readonly onRecover?: ((part: FailingPart) => void) | undefined
}

/** Calls the servers of Redis, in turn and while they work. One that fails or is slow delays no call of another one. */
export interface Servers {
  /** Returns the server that has a limiter's key. */
  of(key: string): Server
  /**
   * Whether Redis must not be called for a key, since its server fails or stores no more addresses. Tries each server that
   * fails beside the request, at most once a second, so that none stays without a call because its keys are not used.
   */
  isAway(server: Server, key: string): boolean
  /** Calls a server, and counts how that ends. Rejects with the failure. */
  call(server: Server, input: ScriptInput): Promise<ScriptResult>
  /** Why the last call failed that did. */
  readonly lastFailure: unknown
}

/** How `createServers` is set up. */
export interface ServersOptions extends RedisEvents {
  /** Returns a number for the server that has a limiter's key. */
  readonly shardOf: (key: string) => number
  readonly callScript: (input: ScriptInput) => Promise<ScriptResult>
  readonly clock: () => number
}

/** What the calls of one server share. */
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

export function createServers({ shardOf, callScript, clock, ...events }: ServersOptions): Servers {
  const servers = new Map<number, Server>()
  const eventsOf = { redis: sharedEvents(events, 'redis'), memory: sharedEvents(events, 'memory') }
  /** The servers whose last call failed, with a call that charges nothing. */
  const failing = new Map<Server, ScriptInput>()
  let lastFailure: unknown

  function serverOf(key: string): Server {
    const shard = shardOf(key)
    const index = servers.has(shard) || servers.size < maxServers ? shard : -1
    const known = servers.get(index)
    if (known) return known
    const server = {
      gateOfKeys: createGate(maxCalls),
      gateOfAddresses: createGate(maxCalls),
      breaker: createBreaker(3, eventsOf.redis()),
      memoryBreaker: createBreaker(1, eventsOf.memory()),
    }
    servers.set(index, server)
    return server
  }

  async function call(server: Server, input: ScriptInput): Promise<ScriptResult> {
    const calling = server.breaker.begin()
    const storing = isAddress(input.key) ? server.memoryBreaker.begin() : undefined
    try {
      const result = await callScript(input)
      calling.succeeded()
      failing.delete(server)
      if (input.cost === 1 && result.decision.allowed) storing?.succeeded()
      return result
    } catch (error) {
      lastFailure = error
      if (isOutOfMemory(error)) {
        calling.succeeded()
        storing?.failed(error, clock())
      } else {
        calling.failed(error, clock())
        failing.set(server, { ...input, cost: 0, earlier: undefined })
      }
      throw error
    }
  }

  return {
    of: serverOf,
    call,
    isAway({ breaker, memoryBreaker }, key) {
      const now = clock()
      for (const [server, peek] of failing)
        if (server.breaker.allowsProbe(now)) call(server, peek).catch(() => {})
      if (breaker.isOpen) return true
      return isAddress(key) && memoryBreaker.isOpen && !memoryBreaker.allowsProbe(now)
    },
    get lastFailure() {
      return lastFailure
    },
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

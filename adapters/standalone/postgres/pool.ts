import { setTimeout as sleep } from 'node:timers/promises'
import type { PostgresPool } from '../../postgres/client.ts'
import type { PostgresResult } from '../../postgres.ts'
import { type Connection, endSilent } from './connection.ts'
import type { Host } from './driver.ts'
import { firstUsable, isReadOnly, requireUsable } from './writable.ts'

/** How many connections of a pool are in use, and how many statements wait for one. */
export interface PoolConnections {
  /** Those that run a statement, are being opened, or are still counted by PostgreSQL after a statement was given up. */
  readonly used: number
  readonly idle: number
  /** Statements without a connection. */
  readonly waiting: number
}

/** A client that runs each statement on any of its connections. */
export interface Pool extends PostgresPool {
  connections(): PoolConnections
  /** Ends the connections; those with a statement have two seconds. Resolves within four, and never rejects. */
  close(): Promise<void>
}

export interface PoolOptions {
  /** The servers, of which the one is used that accepts changes. A single one is used whether it does or not. */
  readonly hosts: readonly Host[]
  /** The most connections to one server. Each counts until the server has closed it. */
  readonly max: number
  /** How long `query` may take, with the time until it has a connection, in milliseconds. */
  readonly timeoutMs: number
  readonly open: (host: Host, onLost: (cause: Error) => void) => Connection
  /** Called when an idle connection is lost. */
  readonly onLost: (cause: Error) => void
  /** Called when another server than before accepts the changes. */
  readonly onHost: (host: Host) => void
}

/** A place in the pool, which is taken until the server has closed the connection. */
interface Slot {
  readonly host: Host
  readonly connection: Connection
  state: 'opening' | 'idle' | 'used' | 'ending'
  idleSince: number
}

/** A statement that has not ended, which rejects after a time whether it has a connection or not. */
interface Statement {
  readonly parameters: Parameters<PostgresPool['query']>
  resolve(result: PostgresResult): void
  reject(cause: unknown): void
  timer: NodeJS.Timeout
  /** Gives up the statement that runs. */
  onLate(): void
}

/** How long a statement runs at least before it is given up, in milliseconds. After a long wait, no time may be left. */
const minRunMs = 1_000
/** How long a connection may be idle, and how often that is checked, in milliseconds. */
const idleMs = { most: 30_000, check: 5_000 }
/** The pause after a failed search for the host that accepts changes, in milliseconds. */
const searchPauseMs = 250
/** The most statements that wait for a connection. */
const maxWaiting = 5_000
/** How long `close` waits for statements, and for their cancelling, in milliseconds. */
const closeMs = { statements: 2_000, cancelling: 1_500 }

/**
 * Creates a pool that never has more than `max` backends of a server, whatever that does. A statement that takes too long
 * rejects, and is cancelled; its connection retains its place until the server has responded and closed it.
 */
export function createPool({ hosts, max, timeoutMs, open, onLost, onHost }: PoolOptions): Pool {
  const only = hosts.length === 1 ? hosts[0] : undefined
  const slots = new Set<Slot>()
  const idle: Slot[] = []
  const waiting = new Set<Statement>()
  let current = only
  let previous = only
  let isSearching = false
  let failure: { readonly until: number; readonly cause: unknown } | undefined
  let isClosing = false
  const sweeper = setInterval(endIdle, idleMs.check).unref()

  function count(matches: (slot: Slot) => boolean): number {
    let matching = 0
    for (const slot of slots) if (matches(slot)) matching++
    return matching
  }

  /** Gives connections to the statements that wait, and opens more for the others. */
  function assign(): void {
    for (const statement of waiting) {
      const slot = idle.pop()
      if (!slot) break
      waiting.delete(statement)
      void run(slot, statement)
    }
    if (waiting.size === 0 || isClosing) return
    if (current) fill(current)
    else if (!isSearching) void search()
  }

  function fill(host: Host): void {
    const opening = count((slot) => slot.state === 'opening' && slot.host === host)
    const free = max - count((slot) => slot.host === host)
    for (let missing = Math.min(waiting.size - opening, free); missing > 0; missing--) void add(host)
  }

  async function add(host: Host): Promise<void> {
    const slot = place(host)
    try {
      await requireUsable(slot)
      makeIdle(slot)
    } catch (cause) {
      end(slot)
      forget(host)
      const [oldest] = waiting
      if (oldest) rejectWaiting([oldest], cause)
    }
    assign()
  }

  /** Looks for the host that accepts changes. Without one, the statements that wait are rejected. */
  async function search(): Promise<void> {
    if (failure && performance.now() < failure.until) return rejectWaiting(waiting, failure.cause)
    isSearching = true
    try {
      const candidates = hosts.filter((host) => count((slot) => slot.host === host) < max).map(place)
      const slot = await firstUsable(candidates)
      current = slot.host
      if (previous !== current) onHost(current)
      previous = current
      makeIdle(slot)
    } catch (cause) {
      failure = { until: performance.now() + searchPauseMs, cause }
      rejectWaiting(waiting, cause)
    }
    isSearching = false
    assign()
  }

  function rejectWaiting(statements: Iterable<Statement>, cause: unknown): void {
    for (const statement of statements) {
      waiting.delete(statement)
      clearTimeout(statement.timer)
      statement.reject(cause)
    }
  }

  /** Takes a place for a new connection. */
  function place(host: Host): Slot {
    const connection = open(host, (cause) => {
      if (slot.state === 'idle') onLost(cause)
      end(slot)
    })
    const slot: Slot = { host, connection, state: 'opening', idleSince: 0 }
    slots.add(slot)
    const timer = setTimeout(() => {
      if (slot.state === 'opening') end(slot)
    }, timeoutMs)
    void connection.closed.then(() => {
      clearTimeout(timer)
      slots.delete(slot)
      end(slot)
      assign()
    })
    return slot
  }

  async function run(slot: Slot, statement: Statement): Promise<void> {
    slot.state = 'used'
    const began = performance.now()
    statement.onLate = () => {
      const leftMs = Math.max(0, began + minRunMs - performance.now())
      statement.timer = setTimeout(() => end(slot), leftMs)
    }
    try {
      const result = await slot.connection.query(...statement.parameters)
      makeIdle(slot)
      assign()
      statement.resolve(result)
    } catch (cause) {
      statement.reject(cause)
      end(slot) // what has failed may be the connection
      if (isReadOnly(cause)) forget(slot.host)
      assign()
    } finally {
      clearTimeout(statement.timer)
    }
  }

  function makeIdle(slot: Slot): void {
    if (slot.state === 'ending') return
    slot.state = 'idle'
    slot.idleSince = performance.now()
    idle.push(slot)
    if (isClosing || (!only && slot.host !== current)) end(slot)
  }

  /** Ends a connection, which may have a statement. Its place is free when the server has closed it. */
  function end(slot: Slot): void {
    if (slot.state === 'ending') return
    const index = idle.indexOf(slot)
    if (index >= 0) idle.splice(index, 1)
    slot.state = 'ending'
    void endSilent(slot.connection, () => forget(slot.host))
  }

  /** Lets the host be searched again, unless there is one only. */
  function forget(host: Host): void {
    if (only || current !== host) return
    current = undefined
    for (const slot of [...idle]) end(slot)
    assign()
  }

  function endIdle(): void {
    const since = performance.now() - idleMs.most
    for (const slot of [...idle]) if (slot.idleSince <= since) end(slot)
  }

  return {
    query(...parameters) {
      if (isClosing) return Promise.reject(new Error('Connection terminated: the pool is closed'))
      if (waiting.size >= maxWaiting)
        return Promise.reject(new Error('timeout exceeded: too many statements wait for a connection'))
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          reject(new Error(`timeout exceeded: no result of PostgreSQL within ${timeoutMs} ms`))
          waiting.delete(statement)
          statement.onLate()
        }, timeoutMs)
        const statement: Statement = { parameters, resolve, reject, timer, onLate() {} }
        waiting.add(statement)
        assign()
      })
    },
    get waitingCount() {
      return waiting.size
    },
    connections: () => ({ used: slots.size - idle.length, idle: idle.length, waiting: waiting.size }),
    async close() {
      isClosing = true
      clearInterval(sweeper)
      for (const slot of [...idle]) end(slot)
      const closed = Promise.all([...slots].map(({ connection }) => connection.closed))
      await Promise.race([closed, sleep(closeMs.statements, undefined, { ref: false })])
      for (const slot of slots) end(slot)
      await Promise.race([closed, sleep(closeMs.cancelling, undefined, { ref: false })])
      for (const { connection } of slots) connection.break()
    },
  }
}

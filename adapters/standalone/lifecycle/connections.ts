import { readdirSync, readFileSync } from 'node:fs'
import type { Server, Socket } from 'node:net'

/** Counts the open connections of the servers that it watches. */
export class ConnectionCount {
  open = 0

  /** Watches a server that does not listen yet. */
  watch(server: Pick<Server, 'on'>): void {
    server.on('connection', (socket: Socket) => {
      this.open++
      socket.once('close', () => this.open--)
    })
  }
}

/** How many connections a server accepts where nothing else limits them. */
const defaultConnections = 2_500

/** Descriptors for everything but connections of clients: files, the store, the limiter, the log. */
const reserved = 64

/** Returns how many files and sockets the process may have open, its soft limit. Undefined where there is no /proc. */
export function readDescriptorLimit(): number | undefined {
  try {
    const [, soft] = /^Max open files +(\d+|unlimited)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? []
    if (soft === undefined) return undefined
    return soft === 'unlimited' ? Number.POSITIVE_INFINITY : Number(soft)
  } catch {
    return undefined
  }
}

/** Returns how many files and sockets the process has open. Undefined where there is no /proc. */
export function countOpenDescriptors(): number | undefined {
  try {
    return readdirSync('/proc/self/fd').length
  } catch {
    return undefined
  }
}

/**
 * Returns how many connections a server accepts under a limit of descriptors: more are closed at once, which can be
 * counted. A connection for which there is no descriptor only waits, and Node reports nothing.
 */
export function connectionsWithin(descriptors: number | undefined): number {
  return Math.max(1, Math.min(defaultConnections, (descriptors ?? Number.POSITIVE_INFINITY) - reserved))
}

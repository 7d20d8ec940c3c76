import { readdirSync, readFileSync } from 'node:fs'

/** Maximum number of connections of a server if nothing else limits them. */
const defaultConnections = 10_000

/** Descriptors for everything but connections of clients: files, the store, the limiter, the log. */
const reserved = 64

/** Returns the maximum number of open files and sockets, the soft limit; undefined without /proc. */
export function readDescriptorLimit(): number | undefined {
  const text = orUndefined(() => readFileSync('/proc/self/limits', 'utf8'))
  const [, soft] = /^Max open files +(\d+|unlimited)/m.exec(text ?? '') ?? []
  if (soft === 'unlimited') return Number.POSITIVE_INFINITY
  return soft === undefined ? undefined : Number(soft)
}

/** Returns the number of open files and sockets; undefined without /proc. */
export function countOpenDescriptors(): number | undefined {
  return orUndefined(() => readdirSync('/proc/self/fd').length)
}

function orUndefined<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}

/**
 * Returns the number of connections that a server accepts under a limit of descriptors, at most `wanted`. Further ones
 * are closed immediately, which can be counted. A connection without a descriptor only waits, and Node reports nothing.
 */
export function connectionsWithin(
  descriptors: number = Number.POSITIVE_INFINITY,
  wanted: number = defaultConnections,
): number {
  return Math.max(1, Math.min(wanted, descriptors - reserved))
}

import { readdirSync, readFileSync } from 'node:fs'

/** Maximum number of connections, unless the open file limit is lower. */
const defaultMaxConnections = 10_000

/** File descriptors reserved for everything except client connections: files, the store, the limiter, the log. */
const reservedDescriptors = 64

/** Returns the soft limit for open files, or `undefined` without `/proc`. */
export function readDescriptorLimit(): number | undefined {
  const text = tryRead(() => readFileSync('/proc/self/limits', 'utf8'))
  const [, soft] = /^Max open files +(\d+|unlimited)/m.exec(text ?? '') ?? []
  if (soft === 'unlimited') return Number.POSITIVE_INFINITY
  return soft === undefined ? undefined : Number(soft)
}

/** Counts open file descriptors. Returns `undefined` without `/proc`. */
export function countOpenDescriptors(): number | undefined {
  return tryRead(() => readdirSync('/proc/self/fd').length)
}

function tryRead<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}

/**
 * Returns how many connections the server accepts. The server closes connections above this number and counts them.
 * Without the limit, a connection for which no descriptor is left would wait unnoticed.
 */
export function computeMaxConnections(
  descriptors: number = Number.POSITIVE_INFINITY,
  wanted: number = defaultMaxConnections,
): number {
  return Math.max(1, Math.min(wanted, descriptors - reservedDescriptors))
}

import { processTime, type Time } from './time.ts'

/** What currently fails in a backend. The object is empty if reads and writes both work. */
export interface Health {
  /** Why reads fail. Absent if they work. */
  readonly reads?: Error
  /** Why writes fail. Absent if they work. */
  readonly writes?: Error
}

/**
 * Functions that try to read and write, without storing anything. A function that throws or rejects fails the check.
 */
export type HealthChecks = Readonly<Record<keyof Health, () => unknown>>

/** How long a result is reused, in milliseconds. */
const cacheMs = 1_000

/** Creates a health check that tries reads and writes in parallel, at most once per second. Never rejects. */
export function createHealthCheck(
  { reads, writes }: HealthChecks,
  time: Pick<Time, 'now'> = processTime,
): () => Promise<Health> {
  let lastCheck: Promise<Health> | undefined
  /** When the last check ended, or `Infinity` while a check is pending. Concurrent calls then share that check. */
  let checkedAt = Infinity

  async function checkBoth(): Promise<Health> {
    const [readError, writeError] = await Promise.all([catchError(reads), catchError(writes)])
    checkedAt = time.now()
    return { ...(readError && { reads: readError }), ...(writeError && { writes: writeError }) }
  }

  return () => {
    if (lastCheck && time.now() - checkedAt < cacheMs) return lastCheck
    checkedAt = Infinity
    lastCheck = checkBoth()
    return lastCheck
  }
}

async function catchError(call: () => unknown): Promise<Error | undefined> {
  try {
    await call()
    return undefined
  } catch (cause) {
    return cause instanceof Error ? cause : new Error(String(cause))
  }
}

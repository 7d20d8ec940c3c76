import { performance } from 'node:perf_hooks'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** How often the process is looked at, in milliseconds. */
const intervalMs = 5_000

/** The share of time that the event loop of an idle process is busy, at most. */
const idleUtilization = 0.2

/** After how many idle checks in a row a process collects garbage: its next 12,000 requests take up to twice as long on Node 24. */
const idleChecks = 3

/** How much resident memory may grow before that, in bytes: more than a warm server needs, less than a flood may leave. */
const growthBytes = 56 * 2 ** 20

/** How often garbage is collected before what is left counts as in use: connections that close free some of it later. */
const maxCollections = 3

/** What is read of the process, and how it collects garbage. */
export interface Memory {
  /** Resident memory, in bytes; undefined where it cannot be read. */
  resident(): number | undefined
  /** The share of time that the event loop was busy since the last call, from 0 to 1. */
  utilization(): number
  collect(): void
}

/**
 * Creates a check that collects garbage where a process that stays idle holds much more memory than at its lowest. V8 collects
 * when it allocates: after a flood, an idle process holds the memory of the flood for as long as it is idle. V8 also drops
 * optimised code then, so a server without that much memory to give back is left alone.
 */
export function createMemoryCheck(memory: Memory): () => void {
  let lowest = Number.POSITIVE_INFINITY
  let collections = 0
  let idle = 0
  return () => {
    const resident = memory.resident()
    if (resident === undefined) return
    idle = memory.utilization() <= idleUtilization ? idle + 1 : 0
    if (resident < lowest + growthBytes || collections === maxCollections) {
      lowest = collections === maxCollections ? resident : Math.min(lowest, resident)
      collections = 0
    } else if (idle >= idleChecks) {
      collections++
      memory.collect()
    }
  }
}

/** Gives memory back to the system whenever the process is idle, where the runtime is Node. It keeps no process alive. */
export function releaseMemoryWhenIdle(): void {
  if (process.versions.bun || process.versions.deno) return
  let before = performance.eventLoopUtilization()
  const check = createMemoryCheck({
    resident: readResident,
    utilization() {
      const now = performance.eventLoopUtilization()
      const { utilization } = performance.eventLoopUtilization(now, before)
      before = now
      return utilization
    },
    collect: readCollector(),
  })
  check()
  setInterval(check, intervalMs).unref()
}

/** The system tells it through a file, which a process without free descriptors cannot open. */
function readResident(): number | undefined {
  try {
    return process.memoryUsage.rss()
  } catch {
    return undefined
  }
}

/**
 * V8's own function. Twice, since the second call releases the buffers that the first one finds; then in the way that also
 * gives back pages, which V8 knows from Node 22 on.
 */
function readCollector(): () => void {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as (options?: object) => void // V8 defines it by that flag
  return () => {
    collect()
    collect()
    collect({ type: 'major', execution: 'sync', flavor: 'last-resort' })
  }
}

import type { Traffic } from './crowd.ts'
import type { Seen } from './probes.ts'

/** The bounds of a server with default settings and a heap of 512 MB. Memory is resident, in MiB. */
export const bounds = {
  peakMemory: 400,
  /** How much more memory than at the start may be in use afterwards. */
  memoryLeft: 60,
  /** How long a server has to give memory back, in milliseconds. */
  releaseMs: 40_000,
  /** The longest response time of `/healthz` and of a well-behaved key, in milliseconds. */
  slowestMs: 1_000,
} as const

/** The measurements of one flood. Memory is undefined where the system does not report it. */
export interface Measured {
  readonly flood: string
  readonly isAlive: boolean
  readonly memory?: { readonly start: number; readonly peak: number; readonly left: number }
  readonly seen: Seen
  /** The broken promises that the clients of the flood saw. */
  readonly violations: readonly string[]
  readonly traffic: Traffic
}

/** Returns the broken bounds, one line each. */
export function violationsOf({ isAlive, memory, seen, violations }: Measured): readonly string[] {
  if (!isAlive) return ['the process has ended', ...violations]
  const broken: string[] = []
  if (memory && memory.peak > bounds.peakMemory) broken.push(`more than ${bounds.peakMemory} MiB`)
  if (memory && memory.left > memory.start + bounds.memoryLeft)
    broken.push(`${Math.round(memory.left - memory.start)} MiB more than at the start are left`)
  if (seen.slowestHealth > bounds.slowestMs) broken.push('/healthz is slow')
  if (seen.slowestGood > bounds.slowestMs) broken.push('a well-behaved key is served slowly')
  return [...broken, ...seen.violations, ...violations]
}

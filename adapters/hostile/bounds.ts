import type { Traffic } from './crowd.ts'
import type { Seen } from './probes.ts'

/** What must hold, on default settings and with a heap of 512 MB. Memory is resident, in MiB. */
export const bounds = {
  peakMemory: 400,
  /** How much more may be left than at the start. */
  memoryLeft: 60,
  /** How long a server has for that, in milliseconds. */
  settleMs: 20_000,
  /** How long `/healthz` and a well-behaved key wait for a response, in milliseconds. */
  slowestMs: 1_000,
} as const

/** What was measured of one flood. Memory is undefined where the system does not tell. */
export interface Measured {
  readonly flood: string
  readonly isAlive: boolean
  readonly memory?: { readonly start: number; readonly peak: number; readonly left: number }
  readonly seen: Seen
  /** What the clients of the flood saw that must not be. */
  readonly violations: readonly string[]
  readonly traffic: Traffic
}

/** Returns what does not hold, in a line each; nothing where all does. */
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

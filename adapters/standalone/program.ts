import type { Output } from './log.ts'
import type { Environment } from './settings.ts'

/** The events of a process, and of what stands in for one in tests. */
export interface ProcessEvents {
  on(event: string, listener: (detail: never) => void): unknown
  removeAllListeners(event: string): unknown
}

/** All that a program touches of the process that it runs in. */
export interface Program extends Output {
  /** The arguments behind the program's name. */
  readonly argv: readonly string[]
  readonly env: Environment
  readonly events: ProcessEvents
  /** Milliseconds since the epoch. */
  readonly clock: () => number
}

import type { EventEmitter } from 'node:events'
import type { Output } from '../log/log.ts'
import type { Environment } from './settings.ts'

/** All that a program touches of the process that it runs in. */
export interface ProcessContext extends Output {
  /** The arguments behind the program's name. */
  readonly argv: readonly string[]
  readonly env: Environment
  /** Signals, warnings, and what nobody caught: the process itself, or what stands in for one in tests. */
  readonly events: EventEmitter
  /** Milliseconds since the epoch. */
  readonly clock: () => number
}

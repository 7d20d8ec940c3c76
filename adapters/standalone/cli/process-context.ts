import type { EventEmitter } from 'node:events'
import type { Output } from '../log/log.ts'
import type { Environment } from './settings.ts'

/** The parts of its process that the program uses. */
export interface ProcessContext extends Output {
  /** The arguments after the program's name. */
  readonly argv: readonly string[]
  readonly env: Environment
  /** The id of the process, by which a supervisor addresses the sockets that it hands over. */
  readonly pid: number
  readonly stdin: AsyncIterable<Uint8Array>
  /** Emits signals, warnings and uncaught exceptions: the process itself, or a substitute in tests. */
  readonly events: EventEmitter
  /** Milliseconds since the epoch. */
  readonly clock: () => number
}

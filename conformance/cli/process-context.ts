import type { RunOptions } from '../index.ts'

/** A stream to write text to; a terminal says so. */
export interface Sink {
  write(text: string): unknown
  readonly isTTY?: boolean | undefined
  /** How wide a terminal is. */
  readonly columns?: number | undefined
}

/** What the program touches besides files. */
export interface ProcessContext {
  /** The arguments after the program's name. */
  readonly argv: readonly string[]
  readonly env: Readonly<Record<string, string | undefined>>
  readonly stdout: Sink
  readonly stderr: Sink
  /** What a run uses in place of the network, the clock and chance. */
  readonly run?: Pick<RunOptions, 'fetch' | 'clock' | 'random'>
}

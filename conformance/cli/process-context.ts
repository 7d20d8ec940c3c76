import type { RunOptions } from '../index.ts'

/** A stream for text, such as `process.stdout`. */
export interface Sink {
  write(text: string): unknown
  readonly isTTY?: boolean | undefined
  /** The width of a terminal, in characters. */
  readonly columns?: number | undefined
}

/** What the program uses of its process, apart from files. */
export interface ProcessContext {
  /** The arguments after the program's name. */
  readonly argv: readonly string[]
  readonly env: Readonly<Record<string, string | undefined>>
  readonly stdout: Sink
  readonly stderr: Sink
  /** Calls a listener for the first interrupt (Ctrl-C), until the returned function is called. Without it, there are none. */
  readonly onInterrupt?: (listener: () => void) => () => void
  /** Replaces the network, the clock and the random numbers of a run. */
  readonly run?: Pick<RunOptions, 'fetch' | 'clock' | 'random'>
}

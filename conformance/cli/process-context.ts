import type { RunOptions } from '../index.ts'
import type { Style } from '../report/style.ts'

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

/** Returns how text looks on a stream: with colour if the environment allows it, and as wide as the terminal. */
export function styleOf(
  sink: Sink,
  env: Readonly<Record<string, string | undefined>>,
  isQuiet: boolean,
): Style {
  const { isTTY, columns } = sink
  return {
    color: usesColor(env, sink),
    ...(isTTY && columns !== undefined && { columns }),
    ...(isQuiet && { isQuiet }),
  }
}

/** Whether to write colours: FORCE_COLOR decides, then NO_COLOR, then whether the stream is a terminal with colours. */
export function usesColor(
  env: Readonly<Record<string, string | undefined>>,
  stream: { readonly isTTY?: boolean | undefined },
): boolean {
  if (env.FORCE_COLOR !== undefined && env.FORCE_COLOR !== '')
    return env.FORCE_COLOR !== '0' && env.FORCE_COLOR !== 'false'
  if (env.NO_COLOR) return false
  return stream.isTTY === true && env.TERM !== 'dumb'
}

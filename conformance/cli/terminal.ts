import type { Exchange, RunOptions } from '../index.ts'
import type { Style } from '../report/pretty.ts'
import { printable } from '../transcript/printable.ts'
import type { Environment } from './proxy-environment.ts'

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
  /** How it was started, for its help. */
  readonly program: string
  readonly env: Environment
  readonly stdout: Sink
  readonly stderr: Sink
  /**
   * Calls a listener for the first interrupt (Ctrl-C), until the returned function is called. Without it, there are
   * none.
   */
  readonly onInterrupt?: (listener: () => void) => () => void
  /** Replaces the network, the clock and the random numbers of a run. */
  readonly run?: Pick<RunOptions, 'fetch' | 'clock' | 'random'>
}

/** Returns how text looks on a stream: with colour if the environment allows it, and as wide as the terminal. */
export function styleOf({ isTTY, columns }: Sink, env: Environment, isQuiet: boolean): Style {
  return {
    color: usesColor(env, { isTTY }),
    ...(isTTY && columns !== undefined && { columns }),
    ...(isQuiet && { isQuiet }),
  }
}

/** Whether to write colours: FORCE_COLOR decides, then NO_COLOR, then whether the stream is a terminal with colours. */
export function usesColor(env: Environment, { isTTY }: Pick<Sink, 'isTTY'>): boolean {
  const { FORCE_COLOR, NO_COLOR, TERM } = env
  if (FORCE_COLOR) return FORCE_COLOR !== '0' && FORCE_COLOR !== 'false'
  return !NO_COLOR && isTTY === true && TERM !== 'dumb'
}

/**
 * The line of `--verbose` for an exchange: when, what was sent with which credential, what came, and how often it was
 * sent if more than once.
 */
export function exchangeLine({ id, at, credential, request, times = 1, outcome }: Exchange): string {
  const seconds = (at / 1000).toFixed(2).padStart(7)
  const sent = `${request.method.padEnd(4)} ${printable(request.target)}`.padEnd(40)
  const often = times > 1 ? ` (sent ${times} times)` : ''
  const came =
    outcome.kind === 'error'
      ? printable(outcome.error)
      : `${outcome.response.status}, ${outcome.response.body.length} characters, ${outcome.response.ms} ms`
  return `${seconds}  ${sent}  ${came}${often}  [${printable(id)}, ${credential}]\n`
}

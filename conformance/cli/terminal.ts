import type { Exchange, RunOptions } from '../index.ts'
import type { Style } from '../report/pretty.ts'
import { printable } from '../transcript/printable.ts'
import type { Environment } from './proxy-environment.ts'
import { LostOutputError } from './values.ts'

/** A stream for text, such as `process.stdout`. */
export interface Sink {
  /** Writes a text. Resolves to an `Error` if the text could not be written. */
  write(text: string): unknown
  readonly isTTY?: boolean | undefined
  /** The width of a terminal, in characters. */
  readonly columns?: number | undefined
}

/** The parts of its process that the program uses, except for files. */
export interface ProcessContext {
  /** The arguments after the program's name. */
  readonly argv: readonly string[]
  /** The command that started it, for its help. */
  readonly program: string
  readonly env: Environment
  readonly stdout: Sink
  readonly stderr: Sink
  /** Calls a listener for the first interrupt (Ctrl-C), until the returned function is called. */
  readonly onInterrupt?: (listener: () => void) => () => void
  /** Replaces the network, the clock and the random numbers of a run. */
  readonly run?: Pick<RunOptions, 'fetch' | 'clock' | 'random'>
}

/**
 * Returns a sink on a stream of the process. A closed or full stream ends no run: writing never throws or rejects, and
 * no `error` event stays without a listener.
 */
export function createSink(stream: NodeJS.WriteStream): Sink {
  let failure: Error | undefined
  stream.on('error', (error) => {
    failure ??= error
  })
  return {
    isTTY: stream.isTTY,
    get columns() {
      return stream.columns
    },
    write(text) {
      if (failure !== undefined) return failure
      return new Promise<Error | undefined>((resolve) => {
        try {
          stream.write(text, (error) => resolve(error ?? undefined))
        } catch (error) {
          // a file is written synchronously, and throws
          failure = error instanceof Error ? error : new Error(String(error))
          resolve(failure)
        }
      })
    },
  }
}

/**
 * Writes a text that the user asked for. A reader that closes its end, such as `head`, has read enough.
 *
 * @throws {LostOutputError} The text could not be written.
 */
export async function print(sink: Sink, what: string, text: string): Promise<void> {
  const problem = await sink.write(text)
  if (problem instanceof Error && !('code' in problem && problem.code === 'EPIPE'))
    throw new LostOutputError(`cannot write ${what} to stdout: ${problem.message}`)
}

/** Minimum width of the text, in characters. */
const minColumns = 40

/** Returns how text looks on a stream: with colour if the environment allows it, and as wide as the terminal. */
export function chooseStyle({ isTTY, columns }: Sink, env: Environment, isQuiet: boolean): Style {
  return {
    color: usesColor(env, { isTTY }),
    // some terminals have 0 columns, or too few for any word
    ...(isTTY && columns && { columns: Math.max(columns, minColumns) }),
    ...(isQuiet && { isQuiet }),
  }
}

/** Returns `true` if output has colours: by FORCE_COLOR, then NO_COLOR, then the stream. */
export function usesColor(env: Environment, { isTTY }: Pick<Sink, 'isTTY'>): boolean {
  const { FORCE_COLOR, NO_COLOR, TERM } = env
  if (FORCE_COLOR) return FORCE_COLOR !== '0' && FORCE_COLOR !== 'false'
  return !NO_COLOR && isTTY === true && TERM !== 'dumb'
}

/**
 * The line of `--verbose` for an exchange: the time, the request, its credential, the outcome, and the number of
 * attempts if there were several.
 */
export function formatExchange({ id, at, credential, request, times = 1, outcome }: Exchange): string {
  const seconds = (at / 1000).toFixed(2).padStart(7)
  const sent = `${request.method.padEnd(4)} ${printable(request.target)}`.padEnd(40)
  const often = times > 1 ? ` (sent ${times} times)` : ''
  const came =
    outcome.kind === 'error'
      ? printable(outcome.error)
      : `${outcome.response.status}, ${outcome.response.body.length} characters, ${outcome.response.ms} ms`
  return `${seconds}  ${sent}  ${came}${often}  [${printable(id)}, ${credential}]\n`
}

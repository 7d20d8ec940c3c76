import type { Exchange, RunOptions } from '../index.ts'
import type { Style } from '../report/pretty.ts'
import { toPrintable } from '../transcript/printable.ts'
import type { Environment } from './proxy-environment.ts'
import { type interruptCodes, LostOutputError } from './values.ts'

/** An output stream. */
export interface Sink {
  /** Writes a text. Resolves to an error if the text was lost. */
  write(text: string): unknown
  readonly isTTY?: boolean | undefined
  /** The width of the terminal, in characters. */
  readonly columns?: number | undefined
}

/** The parts of a process that the program uses, apart from files. */
export interface ProcessContext {
  /** The command-line arguments, without the runtime and the script. */
  readonly argv: readonly string[]
  /** The command that started the program, for the help. */
  readonly program: string
  readonly env: Environment
  readonly stdout: Sink
  readonly stderr: Sink
  /** Calls the listener at the first interrupt (Ctrl-C), until the returned function is called. */
  readonly onInterrupt?: (listener: (signal: keyof typeof interruptCodes) => void) => () => void
  /** Replaces the network, the clock and the random numbers of a run. */
  readonly run?: Pick<RunOptions, 'fetch' | 'clock' | 'random'>
}

/**
 * Wraps a stream, so that a closed pipe or a full disk does not end the run. `write` returns errors and never throws.
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
          // Writing to a file is synchronous, so errors are thrown.
          failure = error instanceof Error ? error : new Error(String(error))
          resolve(failure)
        }
      })
    },
  }
}

/**
 * Writes a text that the user asked for. A reader such as `head` may close the pipe early.
 *
 * @throws {LostOutputError} if the text could not be written.
 */
export async function print(sink: Sink, what: string, text: string): Promise<void> {
  const writeProblem = await sink.write(text)
  if (writeProblem instanceof Error && !('code' in writeProblem && writeProblem.code === 'EPIPE'))
    throw new LostOutputError(`cannot write ${what} to stdout: ${writeProblem.message}`)
}

/** Minimum width that text is wrapped at, in characters. */
const minColumns = 40

/** Chooses colors and the line width for an output stream. */
export function chooseStyle({ isTTY, columns }: Sink, env: Environment, isQuiet: boolean): Style {
  return {
    color: usesColor(env, { isTTY }),
    // Some terminals report 0 columns, or too few for a word.
    ...(isTTY && columns && { columns: Math.max(columns, minColumns) }),
    ...(isQuiet && { isQuiet }),
  }
}

/**
 * Decides whether to print colors. `FORCE_COLOR` takes precedence over `NO_COLOR`, which takes precedence over the
 * stream.
 */
export function usesColor(env: Environment, { isTTY }: Pick<Sink, 'isTTY'>): boolean {
  const { FORCE_COLOR, NO_COLOR, TERM } = env
  if (FORCE_COLOR) return FORCE_COLOR !== '0' && FORCE_COLOR !== 'false'
  return !NO_COLOR && isTTY === true && TERM !== 'dumb'
}

/** Formats an exchange for `--verbose`. */
export function formatExchange({
  id,
  at,
  credential,
  group,
  request,
  times = 1,
  error,
  response,
}: Exchange): string {
  const seconds = (at / 1000).toFixed(2).padStart(7)
  const requestColumn = `${request.method.padEnd(4)} ${toPrintable(request.target)}`.padEnd(40)
  const repetitionNote = times > 1 ? ` (sent ${times} times)` : ''
  const responseNote =
    response === undefined
      ? toPrintable(error)
      : `${response.status}, ${response.body.length} characters, ${response.ms} ms`
  const parallelNote = group === undefined ? '' : `, in parallel: ${toPrintable(group)}`
  return `${seconds}  ${requestColumn}  ${responseNote}${repetitionNote}  [${toPrintable(id)}, ${credential}${parallelNote}]\n`
}

import type { Exchange, Outcome, RequestEvent, RunOptions } from '../index.ts'
import type { Style } from '../report/pretty.ts'
import { printable } from '../transcript/printable.ts'

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
  /**
   * Calls a listener for the first interrupt (Ctrl-C), until the returned function is called. Without it, there are
   * none.
   */
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

/** Shows each request and each wait while a run is under way. */
export interface Progress {
  sending(request: RequestEvent): void
  /**
   * @param ms The length of the wait, in milliseconds.
   * @param reason What the run waits for.
   */
  waiting(ms: number, reason?: string): void
  /** Clears the line, so that later output starts on an empty one. */
  end(): void
}

/** Shows nothing. */
export const silent: Progress = { sending: () => {}, waiting: () => {}, end: () => {} }

/** Returns to the start of the line, and clears it (ECMA-48). */
const clearLine = '\r\u001b[K'

/** A shorter wait is not shown, in milliseconds. */
const shortestShown = 1000

/**
 * Returns a progress that rewrites one line of a terminal. On any other stream, and between other lines, it writes a
 * line for each wait of which the reason is known, so that a log shows why nothing happens.
 */
export function createProgress(sink: Sink, isBetweenLines = false): Progress {
  let sent = 0
  if (isBetweenLines || sink.isTTY !== true) {
    return {
      ...silent,
      waiting(ms, reason) {
        if (ms >= shortestShown && reason !== undefined)
          sink.write(`waiting ${Math.ceil(ms / 1000)} s ${reason}\n`)
      },
    }
  }
  return {
    waiting(ms, reason) {
      if (ms < shortestShown) return
      const after = reason === undefined ? '' : ` ${reason}`
      sink.write(`${clearLine}waiting ${Math.ceil(ms / 1000)} s${after} after request ${sent}`)
    },
    sending({ number, method, target }) {
      sent = number
      // only the path, as a query may name a key
      const [path = ''] = target.split('?')
      sink.write(`${clearLine}request ${number}: ${method} ${printable(path)}`)
    },
    end() {
      if (sent > 0) sink.write(clearLine)
    },
  }
}

/**
 * The line of `--verbose` for an exchange: when, what was sent with which credential, what came, and how often it was
 * sent if more than once.
 */
export function exchangeLine({ id, at, credential, request, times = 1, outcome }: Exchange): string {
  const seconds = (at / 1000).toFixed(2).padStart(7)
  const sent = `${request.method.padEnd(4)} ${printable(request.target)}`.padEnd(40)
  const often = times > 1 ? ` (sent ${times} times)` : ''
  return `${seconds}  ${sent}  ${result(outcome)}${often}  [${printable(id)}, ${credential}]\n`
}

function result(outcome: Outcome): string {
  if (outcome.kind === 'error') return printable(outcome.error)
  const { status, body, ms } = outcome.response
  return `${status}, ${body.length} characters, ${ms} ms`
}

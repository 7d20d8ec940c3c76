import type { Writable } from 'node:stream'
import { createLineWriter } from './line-writer.ts'
import {
  formats,
  type LogFormatName,
  type LoggedContext,
  type LoggedResponse,
  type ProgramOutput,
} from './log-format.ts'

/** The output streams of a program. */
export interface Output {
  readonly stdout: Writable
  readonly stderr: Writable
}

/**
 * The program's log. It goes to stdout, its warnings and errors to stderr; a silent log has only errors.
 * It never contains a key or a body.
 */
export interface Log {
  readonly format: LogFormatName
  /** Number of lines that could not be written, or waited too long for a slow reader. */
  readonly linesLost: number
  info(event: string, message: string): void
  warning(event: string, message: string): void
  /** `context` names the request that failed. */
  error(event: string, message: string, context?: LoggedContext): void
  /** Writes one line for each request; absent from a silent log. `withAddress` adds the client address. */
  readonly response?: (response: LoggedResponse, withAddress: boolean) => void
  /** Writes a notice in every format, silent too. */
  notice(to: keyof Output, notice: ProgramOutput): void
  /** Resolves when everything is written, after half a second at the latest. */
  flush(): Promise<void>
}

/** Maximum wait for the readers of the output at the end of the program, in milliseconds. */
const flushMs = 500

/** Creates the log of a program. `clock` returns the milliseconds since the epoch. */
export function createLog(name: LogFormatName, output: Output, clock: () => number): Log {
  const format = formats[name]
  const isSilent = name === 'silent'
  const time = createTimestamps(clock)
  const stderr = createLineWriter(output.stderr)
  const stdout = createLineWriter(output.stdout, (reason) =>
    warning('log-lost', `lines of the log on stdout are lost: ${reason}`),
  )

  function warning(event: string, message: string): void {
    if (!isSilent) stderr.write(format.event(time(), 'warning', event, message))
  }

  return {
    format: name,
    get linesLost() {
      return stdout.linesLost + stderr.linesLost
    },
    info(event, message) {
      if (!isSilent) stdout.write(format.event(time(), 'info', event, message))
    },
    warning,
    error(event, message, context) {
      stderr.write(format.event(time(), 'error', event, message, context))
    },
    ...(!isSilent && {
      response: (response, withAddress) => stdout.write(format.response(time(), response, withAddress)),
    }),
    notice(to, notice) {
      ;(to === 'stdout' ? stdout : stderr).write(format.notice(time(), notice))
    },
    async flush() {
      await Promise.all([stdout.flush(flushMs), stderr.flush(flushMs)])
    },
  }
}

/** ISO times, formatted once a millisecond: many requests share one. */
function createTimestamps(clock: () => number): () => string {
  let at = Number.NaN
  let text = ''
  return () => {
    const now = clock()
    if (now !== at) text = new Date(now).toISOString()
    at = now
    return text
  }
}

/** Minimum interval of two lines of one event, in milliseconds: an unavailable part fails every request. */
const quietMs = 10_000

export type ThrottledLog = Pick<Log, 'info' | 'warning' | 'error'>

/** Passes on the first line of each event, then one every ten seconds with the number of lines left out since. */
export function createThrottledLog(log: ThrottledLog, clock: () => number): ThrottledLog {
  const events = new Map<string, { readonly at: number; leftOut: number }>()

  function throttled(write: Log['error']): Log['error'] {
    return (event, message, context) => {
      const now = clock()
      const last = events.get(event)
      if (last && now >= last.at && now < last.at + quietMs) {
        last.leftOut++
        return
      }
      events.set(event, { at: now, leftOut: 0 })
      write(event, last?.leftOut ? `${message} (and ${last.leftOut} more like it before)` : message, context)
    }
  }

  return { info: log.info, warning: throttled(log.warning), error: throttled(log.error) }
}

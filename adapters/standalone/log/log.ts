import type { Writable } from 'node:stream'
import type { BackendEvent } from '../../backend/index.ts'
import { explain } from '../errors.ts'
import { createLineWriter } from './line-writer.ts'
import {
  formats,
  type LogFormatName,
  type LoggedContext,
  type LoggedResponse,
  type Notice,
} from './log-format.ts'

export interface OutputStreams {
  readonly stdout: Writable
  readonly stderr: Writable
}

/**
 * The program's log. Warnings and errors go to stderr, everything else to stdout. A silent log has only errors. No line
 * contains a key or a body.
 */
export interface Log {
  readonly format: LogFormatName
  /** How many lines could not be written, or waited too long for a slow reader. */
  readonly linesLost: number
  info(event: string, message: string): void
  warning(event: string, message: string): void
  /** Logs an error. `context` names the request that failed. */
  error(event: string, message: string, context?: LoggedContext): void
  /** Logs a response. Absent from a silent log. `withAddress` adds the client address. */
  readonly response?: (response: LoggedResponse, withAddress: boolean) => void
  /** Prints a notice, even if the log is silent. */
  notice(to: keyof OutputStreams, notice: Notice): void
  /** Resolves when everything is written, at most after half a second. */
  flush(): Promise<void>
}

/** Maximum time to wait for readers when the program exits, in milliseconds. */
const flushMs = 500

/** Creates the program's log. `clock` returns milliseconds since the epoch. */
export function createLog(name: LogFormatName, output: OutputStreams, clock: () => number): Log {
  const format = formats[name]
  const isSilent = name === 'silent'
  const time = createTimestampFormatter(clock)
  const stderr = createLineWriter(output.stderr)
  const stdout = createLineWriter(output.stdout, (reason) =>
    warning('log-lost', `log lines on stdout were lost: ${reason}`),
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

/** Creates a function that returns the current ISO time. Requests in the same millisecond share a string. */
function createTimestampFormatter(clock: () => number): () => string {
  let at = Number.NaN
  let text = ''
  return () => {
    const now = clock()
    if (now !== at) text = new Date(now).toISOString()
    at = now
    return text
  }
}

/**
 * Minimum interval between two lines with the same event, in milliseconds. An unavailable backend fails every request.
 */
const throttleMs = 10_000

export type ThrottledLog = Pick<Log, 'info' | 'warning' | 'error'>

/**
 * Creates a log that limits warnings and errors: per event, one line every 10 seconds. The line includes how many were
 * suppressed.
 */
export function createThrottledLog(log: ThrottledLog, clock: () => number): ThrottledLog {
  const events = new Map<string, { readonly at: number; suppressedCount: number }>()

  function throttled(write: Log['error']): Log['error'] {
    return (event, message, context) => {
      const now = clock()
      const last = events.get(event)
      if (last && now >= last.at && now < last.at + throttleMs) {
        last.suppressedCount++
        return
      }
      events.set(event, { at: now, suppressedCount: 0 })
      write(
        event,
        last?.suppressedCount ? `${message} (and ${last.suppressedCount} similar messages before)` : message,
        context,
      )
    }
  }

  return { info: log.info, warning: throttled(log.warning), error: throttled(log.error) }
}

/** Creates a listener that logs a backend's events. */
export function createEventLog(log: ThrottledLog): (event: BackendEvent) => void {
  return ({ level, event, message, cause }) =>
    log[level](event, cause === undefined ? message : `${message}: ${explain(cause, false)}`)
}

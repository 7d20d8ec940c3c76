import type { Writable } from 'node:stream'
import { createLineWriter } from './line-writer.ts'
import { type Answered, formats, type LogFormatName, type Notice } from './log-format.ts'

/** Where a program writes. */
export interface Output {
  readonly stdout: Writable
  readonly stderr: Writable
}

/**
 * What the program tells. The log goes to stdout, its warnings and errors to stderr; a silent one keeps only errors.
 * It never holds a key or a body.
 */
export interface Log {
  readonly format: LogFormatName
  info(event: string, message: string): void
  warning(event: string, message: string): void
  error(event: string, message: string): void
  /** One line a request; absent from a silent log. */
  readonly answered?: (answered: Answered) => void
  /** Told in every format, silent too. */
  notice(to: keyof Output, notice: Notice): void
  /** Resolves when all is written; soon also where nobody reads it. */
  flush(): Promise<void>
}

/** How long the end of the program waits for readers of its output, in milliseconds. */
const flushMs = 500

/** `clock` tells the milliseconds since the epoch. */
export function createLog(name: LogFormatName, output: Output, clock: () => number): Log {
  const format = formats[name]
  const isSilent = name === 'silent'
  const time = createTimestamps(clock)
  const tellLost = (lines: number) =>
    format.event(time(), 'warning', 'log-lost', `${lines} lines were lost, since nobody read them in time`)
  const stdout = createLineWriter(output.stdout, { tellLost })
  const stderr = createLineWriter(output.stderr, { tellLost })

  return {
    format: name,
    info(event, message) {
      if (!isSilent) stdout.write(format.event(time(), 'info', event, message))
    },
    warning(event, message) {
      if (!isSilent) stderr.write(format.event(time(), 'warning', event, message))
    },
    error(event, message) {
      stderr.write(format.event(time(), 'error', event, message))
    },
    ...(!isSilent && { answered: (answered) => stdout.write(format.answered(time(), answered)) }),
    notice(to, notice) {
      const writer = to === 'stdout' ? stdout : stderr
      writer.write(format.notice(time(), notice))
    },
    async flush() {
      await Promise.all([stdout.flush(flushMs), stderr.flush(flushMs)])
    },
  }
}

/** ISO times, made once a millisecond: many requests share one. */
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

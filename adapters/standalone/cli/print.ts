import type { Writable } from 'node:stream'
import { CommandError, explain } from '../errors.ts'

/**
 * Prints text to stdout. Resolves when the text is written, and rejects with a `CommandError` if it cannot be written.
 */
export type Print = (text: string) => Promise<void>

/** Creates a `Print` for a stream. The stream's `error` event must have a listener. */
export function createPrint(stream: Writable): Print {
  return (text) =>
    new Promise((resolve, reject) => {
      stream.write(text, (cause) => {
        if (cause) reject(new CommandError(`cannot write the output: ${explain(cause, false)}`, { cause }))
        else resolve()
      })
    })
}

/** Formats a count, such as `1 animal` or `2 animals`. */
export function formatCount(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

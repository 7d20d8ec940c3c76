import type { Writable } from 'node:stream'
import { CommandError, explain } from '../errors.ts'

/** Writes a text, and resolves once its reader has it. Rejects with `CommandError` if it cannot be written. */
export type Print = (text: string) => Promise<void>

/** Returns a function that writes to a stream, whose `error` event has a listener. */
export function createPrint(stream: Writable): Print {
  return (text) =>
    new Promise((resolve, reject) => {
      stream.write(text, (cause) => {
        if (cause)
          reject(new CommandError(`the output cannot be written: ${explain(cause, false)}`, { cause }))
        else resolve()
      })
    })
}

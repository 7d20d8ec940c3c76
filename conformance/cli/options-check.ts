import type { RunOptions } from '../index.ts'
import { readOptions } from '../options.ts'
import { UsageError } from './errors.ts'

/** The names that the options of a run have on the command line. */
const names: Readonly<Record<string, string>> = {
  baseUrl: 'the base URL',
  key: 'the key',
  throttleKey: 'the throttle key',
  categoryId: '--category-id',
  maxRequests: '--max-requests',
  timeoutMs: '--timeout',
}

/** Throws a UsageError if a run would reject its options; the message names the flag in place of the option. */
export function checkOptions(options: RunOptions): void {
  try {
    readOptions(options)
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    throw new UsageError(error.message.replace(/^\w+/, (option) => names[option] ?? option))
  }
}

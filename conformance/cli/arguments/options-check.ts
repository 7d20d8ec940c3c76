import type { RunOptions } from '../../index.ts'
import { createRedactor } from '../../redact/redactor.ts'
import { readOptions } from '../../run/options.ts'
import { secretsOf, secretsOfNetwork } from '../../run/secrets.ts'
import { UsageError } from './errors.ts'

/** The names that the options of the run against a baseline have on the command line. */
export const namesOfBaseline: Readonly<Record<string, string>> = {
  baseUrl: '--against',
  key: 'PET_ADOPTION_AGAINST_KEY',
  throttleKey: 'PET_ADOPTION_AGAINST_THROTTLE_KEY',
}

/** The names that the options of a run have on the command line. */
const names: Readonly<Record<string, string>> = {
  baseUrl: 'the base URL',
  key: 'the key',
  throttleKey: 'the throttle key',
  categoryId: '--category-id',
  maxRequests: '--max-requests',
  timeoutMs: '--timeout',
  pace: '--pace',
  headers: '--header',
  proxy: 'the proxy of the environment',
}

/**
 * Throws a UsageError if a run would reject its options; the message names the flag in place of the option.
 *
 * @param changed Other names that some options have.
 */
export function checkOptions(options: RunOptions, changed: Readonly<Record<string, string>> = {}): void {
  try {
    readOptions(options)
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    throw new UsageError(
      error.message.replace(/^\w+/, (option) => changed[option] ?? names[option] ?? option),
    )
  }
}

/** Returns a function that replaces the secrets in the options of a run: keys, values of headers, those of a proxy. */
export function redactorOf(options: RunOptions): (text: string) => string {
  const { key, throttleKey, headers, proxy } = readOptions(options)
  const secrets = secretsOf({ key, ...(throttleKey !== undefined && { throttleKey }) })
  return createRedactor([...secrets, ...secretsOfNetwork(headers, proxy)])
}

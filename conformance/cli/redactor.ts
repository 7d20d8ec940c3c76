import type { RunOptions } from '../index.ts'
import { createRedactor } from '../redact/redactor.ts'
import { readOptions } from '../run/options.ts'
import { secretsOf, secretsOfNetwork } from '../run/secrets.ts'

/** Returns a function that replaces the secrets in the options of a run: keys, values of headers, those of a proxy. */
export function redactorOf(options: RunOptions): (text: string) => string {
  const { key, throttleKey, headers, proxy } = readOptions(options)
  const secrets = secretsOf({ key, ...(throttleKey !== undefined && { throttleKey }) })
  return createRedactor([...secrets, ...secretsOfNetwork(headers, proxy)])
}

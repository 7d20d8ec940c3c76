import type { RunOptions } from '../index.ts'
import { readOptions } from '../options.ts'
import { UsageError } from './usage-error.ts'

/** What the command line calls the options of a run. */
const names: Readonly<Record<string, string>> = {
  baseUrl: 'the base URL',
  key: 'the key',
  throttleKey: 'the throttle key',
  categoryId: '--category-id',
  maxRequests: '--max-requests',
  timeoutMs: '--timeout',
}

const demands: Readonly<Record<string, string>> = { is: 'must be', holds: 'must hold', ends: 'must end' }

/** Throws UsageError where a run would refuse its options, in the words of the command line. */
export function checkOptions(options: RunOptions): void {
  try {
    readOptions(options)
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    const [, name = '', verb = '', rest = ''] = /^(\w+) (\w+) (.*)$/.exec(error.message) ?? []
    throw new UsageError(`${names[name] ?? name} ${demands[verb] ?? verb} ${rest}`)
  }
}

import { readPlan } from '../cli/plan-settings.ts'
import type { ProcessContext } from '../cli/process-context.ts'
import type { Settings } from '../cli/settings.ts'
import { UsageError } from '../errors.ts'
import { makeKey, recordOf } from './key.ts'

/** Makes a key, and prints it once with its record for a keys file. Throws `UsageError`. */
export function keygen(settings: Settings, { stdout }: Pick<ProcessContext, 'stdout'>): void {
  const { id } = settings
  if (!id) throw new UsageError('--id is missing: give --id NAME, which names the holder of the key')
  const plan = readPlan(settings)
  const key = makeKey()
  stdout.write(`The key, for its holder. It is shown once and stored nowhere:

${key}

The record, for the list "keys" of the keys file, which the server reads when it changes:

${JSON.stringify(recordOf(id.value, key, plan))}
`)
}

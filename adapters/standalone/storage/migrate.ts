import type { CommandContext } from '../cli/process-context.ts'
import type { Settings } from '../cli/settings.ts'
import { describedMigration } from './schema.ts'
import { lastingStorage } from './storage.ts'
import { readStorage } from './storage-settings.ts'

/**
 * Runs the migrations that a storage lacks. Resolves with the exit code 0. Rejects with `UsageError`, or with `StartError`
 * where the storage cannot be used: then it is as it was.
 */
export async function migrateStorage(
  settings: Settings,
  { stdout, events }: Pick<CommandContext, 'stdout' | 'events'>,
): Promise<number> {
  const storage = lastingStorage(readStorage(settings), 'migrate')
  const start = performance.now()
  const versions = await storage.migrate(events)
  const duration = versions.from === versions.to ? '' : ` in ${Math.ceil(performance.now() - start)} ms`
  stdout.write(`${describedMigration(versions)}${duration}\n`)
  return 0
}

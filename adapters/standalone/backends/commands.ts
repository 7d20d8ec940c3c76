import type { ProcessContext } from '../cli/process-context.ts'
import { toStartError, UsageError } from '../errors.ts'
import { findSqlite } from '../load-driver.ts'
import { openStoreForCommand, requireFile, requirePersistentStore } from './open-store.ts'
import { readStoreChoice, type StoreSettings } from './store-settings.ts'

/**
 * Creates the storage or migrates its schema. Resolves with the command's output.
 *
 * @throws {UsageError} If no storage is chosen.
 * @throws {StartError} If the storage cannot be used. Nothing is changed then.
 */
export async function migrateStore(
  settings: StoreSettings,
  _operand: string,
  { clock }: ProcessContext,
): Promise<string> {
  const choice = requirePersistentStore(readStoreChoice(settings), 'migrate')
  const start = performance.now()
  const { versions, close } = await openStoreForCommand(choice, clock, true)
  await close()
  const { from, to } = versions
  const done =
    from === 0 ? `created the storage with schema ${to}` : `migrated the storage from schema ${from} to ${to}`
  const duration = `${Math.ceil(performance.now() - start)} ms`
  return from === to ? `the storage already has schema ${to}\n` : `${done} in ${duration}\n`
}

/**
 * Copies a SQLite file to a new file, even while servers use it. Resolves with the command's output.
 *
 * @throws {UsageError} If the storage is not a SQLite file.
 * @throws {StartError} If the file cannot be copied. No file is created then.
 */
export async function backUpStore(settings: StoreSettings, file: string): Promise<string> {
  const choice = requirePersistentStore(readStoreChoice(settings), 'backup')
  const { kind, value, source } = choice
  if (kind !== 'data')
    throw new UsageError(`${source}: backup copies SQLite files only: use pg_dump for PostgreSQL`)
  requireFile(choice)
  const driver = findSqlite()
  const { backUpSqlite } = await import('../../sqlite/index.ts')
  try {
    backUpSqlite({ file: value, ...(driver && { driver }) }, file)
  } catch (cause) {
    throw toStartError(source, cause)
  }
  return `copied the storage to ${file}\n`
}

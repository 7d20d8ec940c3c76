import type { MaybePromise } from '../../../core/index.ts'
import type { SchemaVersions } from '../../sql/schema-versions.ts'
import { StartError } from '../errors.ts'
import type { StorageLog } from './open-storage.ts'

/** Runs a migration. Resolves with what it has done in words, and whether it has changed tables that were there. */
export async function describedMigration(
  migrate: () => MaybePromise<SchemaVersions>,
): Promise<{ readonly text: string; readonly isChange: boolean }> {
  const start = performance.now()
  const { from, to } = await migrate()
  if (from === to) return { text: `the storage has schema ${to} already`, isChange: false }
  const duration = ` in ${Math.ceil(performance.now() - start)} ms`
  if (from === 0) return { text: `created the storage with schema ${to}${duration}`, isChange: false }
  return { text: `migrated the storage from schema ${from} to ${to}${duration}`, isChange: true }
}

/** Runs a migration, and logs it if there were tables before it. */
export async function loggedMigration(
  log: Pick<StorageLog, 'info'>,
  migrate: () => MaybePromise<SchemaVersions>,
): Promise<void> {
  const { text, isChange } = await describedMigration(migrate)
  if (isChange) log.info('migrated', text)
}

/**
 * Throws `StartError` if a migration is missing.
 *
 * @param source - The flag or variable that named the storage.
 * @param flag - The flag with which `migrate` finds it.
 */
export function requireNewest({ from, to }: SchemaVersions, source: string, flag: string): void {
  if (from === to) return
  const found = from === 0 ? 'has no tables yet' : `has schema ${from}`
  throw new StartError(
    `${source}: the storage ${found}, and this version requires schema ${to}: run pet-adoption-service migrate ${flag}, or start without --no-migrate`,
  )
}

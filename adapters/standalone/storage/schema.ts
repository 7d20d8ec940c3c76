import type { SchemaVersions } from '../../sql/schema-versions.ts'
import { StartError } from '../errors.ts'
import type { Log } from '../log/log.ts'

/** Runs a migration, and logs it if there were tables before it. */
export async function loggedMigration(
  log: Pick<Log, 'info'>,
  migrate: () => SchemaVersions | Promise<SchemaVersions>,
): Promise<void> {
  const start = performance.now()
  const versions = await migrate()
  if (versions.from > 0 && versions.from !== versions.to)
    log.info('migrated', `${describedMigration(versions)} in ${Math.ceil(performance.now() - start)} ms`)
}

/** Returns in words what a migration has done. */
export function describedMigration({ from, to, emptied = [] }: SchemaVersions): string {
  if (from === to) return `the storage has schema ${to} already`
  if (from === 0) return `created the storage with schema ${to}`
  const left =
    emptied.length > 0 ? `, and emptied ${emptied.join(' and ')}, which a later version had left,` : ''
  return `migrated the storage from schema ${from} to ${to}${left}`
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

import { StartError } from '../errors.ts'

/** The schema versions of a storage before and after a migration. Version 0 is an empty storage. */
export interface SchemaVersions {
  readonly from: number
  readonly to: number
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

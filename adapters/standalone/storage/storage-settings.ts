import { isFlag, oneOf, type Settings } from '../cli/settings.ts'
import type { Setting } from '../cli/values.ts'
import { UsageError } from '../errors.ts'

/** The flags that name a storage of the animals; only one can be given. */
const storageKinds = ['memory', 'data', 'postgres'] as const

/** The flag that was given, with its value. */
export interface StorageChoice extends Setting {
  readonly kind: (typeof storageKinds)[number]
  /** The table of the animals in PostgreSQL; `pets` by default. */
  readonly table?: string
  /** Maximum number of connections to one PostgreSQL; 10 by default. */
  readonly poolSize?: number
}

export type StorageSettings = Pick<Settings, 'memory' | 'data' | 'postgres' | 'table' | 'postgres-pool'>

/**
 * Returns the chosen storage; undefined without a choice. Throws `UsageError`, also if a flag of PostgreSQL is used with
 * another storage.
 */
export function readStorage(settings: StorageSettings): StorageChoice | undefined {
  const kind = oneOf(settings, storageKinds)
  const chosen = kind && settings[kind]
  const setting = chosen && { value: String(chosen.value), source: chosen.source }
  const { table, 'postgres-pool': pool } = settings
  if (setting && kind === 'postgres')
    return {
      kind,
      ...setting,
      ...(table && { table: table.value }),
      ...(pool && { poolSize: pool.value }),
    }
  const stray = [table, pool].find(isFlag)
  if (stray) throw new UsageError(`${stray.source} requires --postgres: give both`)
  return setting && { kind, ...setting }
}

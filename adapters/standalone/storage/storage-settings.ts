import { tableNamed } from '../../postgres/table.ts'
import { isFlag, oneOf, readWhole, type Setting, type Settings } from '../cli/settings.ts'
import { UsageError } from '../errors.ts'

/** The flags that name a storage of the animals; they exclude each other. */
const storageKinds = ['memory', 'data', 'postgres'] as const

/** The flag that was given, with its value. */
export interface StorageChoice extends Setting {
  readonly kind: (typeof storageKinds)[number]
  /** The table of the animals in PostgreSQL; `pets` by default. */
  readonly table?: string
  /** The most connections to one PostgreSQL; 10 by default. */
  readonly poolSize?: number
}

/** The smallest and the largest pool: one connection for reads and two for writes, and more than most servers accept. */
const poolSizes = [3, 1_000] as const

/**
 * Returns the storage of the animals that was chosen; undefined where none was. Throws `UsageError`, also where a flag
 * of PostgreSQL is given with another one.
 */
export function readStorage(settings: Settings): StorageChoice | undefined {
  const kind = oneOf(settings, storageKinds)
  const setting = kind && settings[kind]
  const { table, 'postgres-pool': pool } = settings
  if (setting && kind === 'postgres')
    return {
      ...{ kind, ...setting },
      ...(table && { table: readTable(table) }),
      ...(pool && { poolSize: readWhole(pool, ...poolSizes) }),
    }
  const stray = [table, pool].find(isFlag)
  if (stray) throw new UsageError(`${stray.source} requires --postgres: give both`)
  return setting && { kind, ...setting }
}

function readTable({ value, source }: Setting): string {
  try {
    tableNamed(value)
  } catch {
    throw new UsageError(`${source} must be a name such as pets or shelter.pets, of a-z, 0-9 and _`)
  }
  return value
}

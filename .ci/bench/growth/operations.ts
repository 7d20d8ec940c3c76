export const storageIds = ['memory', 'sqlite', 'postgres'] as const

export type StorageId = (typeof storageIds)[number]

export interface Storage {
  readonly title: string
  /** The power of ten of the most animals that a run measures, unless fewer are asked for. */
  readonly mostPower: number
}

/** Where the animals and keys are. */
export const storages: Readonly<Record<StorageId, Storage>> = {
  memory: { title: 'memory', mostPower: 7 },
  sqlite: { title: 'SQLite', mostPower: 7 },
  // The import of ten million animals takes more than three minutes.
  postgres: { title: 'PostgreSQL', mostPower: 6 },
}

export const operationIds = ['import', 'bytes', 'list', 'filtered', 'deep', 'create', 'key', 'limit'] as const

export type GrowthOperationId = (typeof operationIds)[number]

export interface GrowthOperation {
  readonly title: string
  readonly unit: 'µs' | 'bytes'
}

/** What is measured for each size. */
export const growthOperations: Readonly<Record<GrowthOperationId, GrowthOperation>> = {
  import: { title: 'import, for each animal', unit: 'µs' },
  bytes: { title: 'space of an animal', unit: 'bytes' },
  list: { title: 'first page of 20', unit: 'µs' },
  filtered: { title: 'page of 20 by status', unit: 'µs' },
  deep: { title: 'page of 20, deep in the list', unit: 'µs' },
  create: { title: 'create an animal', unit: 'µs' },
  key: { title: 'look up an API key', unit: 'µs' },
  limit: { title: 'check the limits of a key', unit: 'µs' },
}

/** A figure: the cost of one operation on one storage with so many animals, or keys. */
export interface GrowthPoint {
  readonly storage: StorageId
  readonly operation: GrowthOperationId
  readonly size: number
  /** In the unit of the operation. */
  readonly value: number
}

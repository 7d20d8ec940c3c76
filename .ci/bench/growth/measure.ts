import type { Costs } from './costs.ts'
import type { StorageId } from './growth.ts'

/** Each module is loaded on demand, so that a storage whose driver is missing prevents no other. */
const measures: Readonly<Record<StorageId, () => Promise<(size: number) => Promise<Costs>>>> = {
  memory: async () => (await import('./memory.ts')).costsInMemory,
  sqlite: async () => (await import('./sqlite.ts')).costsInSqlite,
  postgres: async () => (await import('./postgres.ts')).costsInPostgres,
}

/** A process that measures one storage of one size, and prints the costs as a line of JSON. */
const [storage, size] = process.argv.slice(2) as [StorageId, string] // what `measureGrowth` passes
const measure = await measures[storage]()
process.stdout.write(`${JSON.stringify(await measure(Number(size)))}\n`)

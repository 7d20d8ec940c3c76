import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSqliteKeyStore, createSqliteStore } from '../../../dist/adapters/sqlite.js'
import { type Costs, costOfLookup, costsOfRequests, newPets } from './costs.ts'

/** Keys whose hashes are spread over all hashes, and ascend, so that the file grows at its end. */
const insertKeys = (size: number) => `
  INSERT INTO api_keys (sha256, id, plan, created_at)
  WITH RECURSIVE key (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM key WHERE i + 1 < ${size})
  SELECT printf('%08x%056x', (i * 4294967296) / ${size}, i), 'caller-' || i, 'pro', 0 FROM key`

/** Measures the stores in a file of their own. */
export async function costsInSqlite(size: number): Promise<Costs> {
  const { DatabaseSync } = await import('node:sqlite') // not every Node has it
  const folder = mkdtempSync(join(tmpdir(), 'pet-adoption-bench-'))
  try {
    const file = join(folder, 'animals.sqlite')
    const database = new DatabaseSync(file)
    const store = createSqliteStore({ database })
    const begin = performance.now()
    await store.importPets(newPets(size))
    const ms = performance.now() - begin
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
    const bytes = statSync(file).size / size
    const costs = await costsOfRequests(store, size, 50)
    const keys = createSqliteKeyStore({ database })
    database.exec(insertKeys(size))
    const key = await costOfLookup(keys)
    database.close()
    return { import: (ms * 1000) / size, bytes, ...costs, key }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

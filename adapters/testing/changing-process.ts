import pg from 'pg'
import type { PetStore } from '../../core/index.ts'
import { openSqlite } from '../contracts/testing/sqlite.ts'
import { createPostgresStore } from '../postgres.ts'
import { createSqliteStore } from '../sqlite.ts'
import { keyOfRound } from './key-of-round.ts'

/**
 * A process that creates animals with keys, changes and removes them until it is killed. It writes a line for each change
 * that has fulfilled. Several of its loops run at once.
 */
const [storage, place = '', table = '', round = ''] = process.argv.slice(2)
const store: Required<PetStore> =
  storage === 'SQLite'
    ? createSqliteStore({ database: openSqlite(place) })
    : createPostgresStore({ client: new pg.Pool({ connectionString: place, max: 4 }), table })

async function change(loop: number): Promise<never> {
  for (let i = loop; ; i += 4) {
    const created = await store.createOnce({ name: 'new', categoryId: BigInt(i) }, keyOfRound(round, i))
    if (created.outcome === 'reused') throw new Error(`the key ${i} was not used before`)
    process.stdout.write(`created ${i} ${created.id}\n`)
    await store.update(created.id, { name: 'changed' })
    process.stdout.write(`changed ${i} ${created.id}\n`)
    if (i % 3 === 0) await store.remove(created.id)
    if (i % 3 === 0) process.stdout.write(`removed ${i} ${created.id}\n`)
  }
}

await Promise.all([0, 1, 2, 3].map(change))

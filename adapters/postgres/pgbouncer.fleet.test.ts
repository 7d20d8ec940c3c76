import type pg from 'pg'
import { petStoreContract } from '../contracts/index.ts'
import { mapPart, partValue, required, testWith } from '../contracts/testing/part.ts'
import { poolFor } from '../contracts/testing/postgres.ts'
import { createPrivatePgBouncer } from '../contracts/testing/private-pgbouncer.ts'
import { createPrivatePostgres } from '../contracts/testing/private-postgres.ts'
import { createPostgresStore, migrate } from '../postgres.ts'
import { keySuites } from './testing/key-suites.ts'

const server = await createPrivatePostgres()
const pooler = 'value' in server ? await createPrivatePgBouncer(server.value.port) : server
const test = testWith(required(pooler))
/** A pool for statements, and single connections for transactions, all through PgBouncer. */
const [pool, connection, another] = [poolOf(4), poolOf(1), poolOf(1)]
let tables = 0

function poolOf(max: number): () => pg.Pool {
  const part = mapPart(pooler, ({ port }) =>
    poolFor(`postgres://postgres@127.0.0.1:${port}/postgres`, { max }),
  )
  return () => partValue(part)
}

function newTable(): string {
  return `pets_${tables++}`
}

async function openStore(
  table = newTable(),
): Promise<ReturnType<typeof createPostgresStore> & { table: string }> {
  await migrate(pool(), { table })
  return { ...createPostgresStore({ client: pool(), table }), table }
}

petStoreContract({
  test: (name, body) => test(`through PgBouncer: ${name}`, body),
  createStore: () => openStore(),
  reopenStore: ({ table }) => openStore(table),
  capabilities: { page: true, createOnce: true, update: true, remove: true },
})

keySuites((name, body) => test(`through PgBouncer: ${name}`, body), newTable, connection, another)

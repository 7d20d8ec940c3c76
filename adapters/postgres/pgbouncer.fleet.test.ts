import type pg from 'pg'
import { keyStoreContract, petStoreContract } from '../contracts/index.ts'
import { installed, mapPart, partValue, testWith } from '../contracts/testing/part.ts'
import { poolFor } from '../contracts/testing/postgres.ts'
import { createPrivatePgBouncer } from '../contracts/testing/private-pgbouncer.ts'
import { createPrivatePostgres } from '../contracts/testing/private-postgres.ts'
import { createPostgresKeyStore, createPostgresStore, migrate, type PostgresKeyStore } from '../postgres.ts'
import { keyRecordsSuite, recordsNow } from '../testing/key-records-suite.ts'

const server = await createPrivatePostgres()
const pooler = 'value' in server ? await createPrivatePgBouncer(server.value.port) : server
const test = testWith(installed(pooler))
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

async function openKeys(
  table = newTable(),
  options = { clock: () => recordsNow },
): Promise<PostgresKeyStore & { table: string }> {
  await migrate(connection(), { table })
  return { ...createPostgresKeyStore({ client: connection(), table, ...options }), table }
}

keyStoreContract({
  test: (name, body) => test(`through PgBouncer: ${name}`, body),
  createStore: (setup) => openKeys(newTable(), setup),
  addKey: async (keys, key) => void (await keys.update({ id: key.id }, () => [key])),
  async revokeKey({ table }, hash) {
    const revokedAt = new Date(recordsNow).toISOString()
    await createPostgresKeyStore({ client: another(), table }).update({ sha256: hash }, (found) =>
      found.map((key) => ({ ...key, revokedAt })),
    )
  },
})

keyRecordsSuite(
  (name, body) => test(`through PgBouncer: ${name}`, body),
  async () => ({ records: await openKeys(), close() {} }),
)

import { keyStoreContract, petStoreContract, type TestFunction } from '../../contracts/index.ts'
import { recordsTime, testKeyRecords } from '../../testing/key-records-suite.ts'
import { createPostgresKeyStore, createPostgresStore, migrate, type PostgresClient } from '../index.ts'

/** The clients that the suites use, as functions that each test calls. */
export interface SuiteClients {
  /** A pool with several connections. */
  readonly pool: () => PostgresClient
  /** Clients with one connection each. */
  readonly connection: () => PostgresClient
  readonly another: () => PostgresClient
}

/** Registers the suites for stores and key stores in PostgreSQL. */
export function registerStoreSuites(
  test: TestFunction,
  newTable: () => string,
  { pool, connection, another }: SuiteClients,
): void {
  async function openStore(table = newTable()) {
    await migrate(pool(), { table })
    return { ...createPostgresStore({ client: pool(), table }), table }
  }
  async function openKeys(clock = () => recordsTime) {
    const table = newTable()
    await migrate(connection(), { table })
    const other = createPostgresKeyStore({ client: another(), table, clock })
    return { ...createPostgresKeyStore({ client: connection(), table, clock }), other }
  }
  petStoreContract({
    test,
    create: () => openStore(),
    reopen: ({ table }) => openStore(table),
    clock: false,
  })
  keyStoreContract({
    test,
    create: ({ clock }) => openKeys(clock),
    addKey: async (keys, key) => void (await keys.update({ id: key.id }, () => [key])),
    async revokeKey({ other }, sha256) {
      const revokedAt = new Date(recordsTime).toISOString()
      await other.update({ sha256 }, (found) => found.map((key) => ({ ...key, revokedAt })))
    },
  })
  testKeyRecords(test, async () => {
    const { other, ...records } = await openKeys()
    return { records, other, close() {} }
  })
}

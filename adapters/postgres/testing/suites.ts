import { keyStoreContract, petStoreContract, type TestFunction } from '../../contracts/index.ts'
import { keyRecordsSuite, recordsNow } from '../../testing/key-records-suite.ts'
import { createPostgresKeyStore, createPostgresStore, migrate, type PostgresClient } from '../index.ts'

/** Functions that return the clients of a suite. They are called when a test begins. */
export interface SuiteClients {
  /** Any number of connections, for single statements. */
  readonly pool: () => PostgresClient
  /** Two connections, for transactions. */
  readonly connection: () => PostgresClient
  readonly another: () => PostgresClient
}

/** Declares the tests of all stores and of all key stores. */
export function storeSuites(
  test: TestFunction,
  newTable: () => string,
  { pool, connection, another }: SuiteClients,
): void {
  async function openStore(table = newTable()) {
    await migrate(pool(), { table })
    return { ...createPostgresStore({ client: pool(), table }), table }
  }
  async function openKeys(clock = () => recordsNow) {
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
      const revokedAt = new Date(recordsNow).toISOString()
      await other.update({ sha256 }, (found) => found.map((key) => ({ ...key, revokedAt })))
    },
  })
  keyRecordsSuite(test, async () => {
    const { other, ...records } = await openKeys()
    return { records, other, close() {} }
  })
}

import { keyStoreContract, type TestFunction } from '../../contracts/index.ts'
import {
  createPostgresKeyStore,
  migrate,
  type PostgresClient,
  type PostgresKeyStore,
} from '../../postgres.ts'
import { keyRecordsSuite, recordsNow } from '../../testing/key-records-suite.ts'

interface TableKeyStore extends PostgresKeyStore {
  readonly table: string
}

/** Creates the tables, and opens a store of keys in them. */
export async function openKeys(
  client: PostgresClient,
  table: string,
  clock: () => number = () => recordsNow,
): Promise<TableKeyStore> {
  await migrate(client, { table })
  return { ...createPostgresKeyStore({ client, table, clock }), table }
}

/** Declares the tests of all key stores, with two clients that are single connections. */
export function keySuites(
  test: TestFunction,
  newTable: () => string,
  connection: () => PostgresClient,
  another: () => PostgresClient,
): void {
  keyStoreContract({
    test,
    createStore: ({ clock }) => openKeys(connection(), newTable(), clock),
    addKey: async (keys, key) => void (await keys.update({ id: key.id }, () => [key])),
    async revokeKey({ table }, hash) {
      const keys = createPostgresKeyStore({ client: another(), table })
      const revokedAt = new Date(recordsNow).toISOString()
      await keys.update({ sha256: hash }, (found) => found.map((key) => ({ ...key, revokedAt })))
    },
  })
  keyRecordsSuite(test, async () => {
    const records = await openKeys(connection(), newTable())
    return { records, other: createPostgresKeyStore({ client: another(), table: records.table }), close() {} }
  })
}

import { anyValueRule, checkOptions } from '../../core/internal.ts'
import type { ManagedKeyStore } from '../backend/index.ts'
import {
  createKeyStatements,
  createListStatement,
  createSqlKeyStore,
  type KeyRow,
  parseFoundKey,
} from '../sql/key-statements.ts'
import { createQuery, createSend, type PostgresStoreOptions, type Query } from './client.ts'
import { createKeyLookups } from './key-lookups.ts'
import { type TableNames, toTableNames } from './table.ts'
import { type Connect, createConnect, runInTransaction } from './transaction.ts'

/**
 * Options for {@link createPostgresKeyStore}. For an animal table `pets`, the key table is `pets_api_keys`. `update`
 * needs a connection that it can borrow from the client.
 */
export interface PostgresKeyStoreOptions extends PostgresStoreOptions {
  /**
   * Returns the current time in milliseconds since the epoch, which decides whether a key has expired.
   *
   * @default Date.now
   */
  readonly clock?: () => number
}

/** A store for API keys in PostgreSQL, including key management. */
export interface PostgresKeyStore extends ManagedKeyStore {}

/** How a key store sends statements. */
export interface KeyConnections {
  /** Sends the statements for lookups and counts. */
  readonly read: Query
  /** Sends the statements for lists, which can take long. */
  readonly list: Query
  /** Borrows a connection for an update. */
  readonly connect: Connect
}

/** Columns that PostgreSQL reads from JSON. */
const jsonColumns =
  'sha256 text, id text, plan text, minute bigint, day bigint, label text, "createdAt" bigint, "expiresAt" bigint, "revokedAt" bigint'

/** The lock that serializes key updates has this name, followed by the table's name. */
const updateLockPrefix = 'pet_adoption_service.changing_keys'

/**
 * Creates a store for API keys in PostgreSQL, for any number of replicas. Call {@link migrate} before the first
 * request.
 *
 * Valid keys are cached for 5 s. Every replica rejects a revoked key within that time, and accepts a new key
 * immediately. Unknown keys are not cached. While 4 queries for keys are in flight, further lookups share the next
 * query. If PostgreSQL does not respond, `find` rejects with `StoreUnavailableError` unless the key is cached.
 *
 * @throws {TypeError} If an option is invalid or unknown.
 *
 * @example
 * import { createPetService } from 'pet-adoption-service'
 * import { createPostgresKeyStore, createPostgresStore, migrate } from 'pet-adoption-service/postgres'
 * import pg from 'pg'
 *
 * const client = new pg.Pool({ connectionString: 'postgres://127.0.0.1/shelter', query_timeout: 5000 })
 * client.on('error', console.error)
 * await migrate(client)
 * const service = createPetService({
 *   keys: createPostgresKeyStore({ client }),
 *   store: createPostgresStore({ client }),
 * })
 */
export function createPostgresKeyStore(options: PostgresKeyStoreOptions): PostgresKeyStore {
  checkOptions(options, { client: anyValueRule, table: anyValueRule, clock: anyValueRule })
  const { client, table = 'pets', clock = () => Date.now() } = options
  const query = createQuery(createSend(client))
  return createKeyStore(
    toTableNames(table),
    { read: query, list: query, connect: createConnect(client) },
    clock,
  )
}

/** Creates a key store that sends statements over the given connections. */
export function createKeyStore(
  { apiKeys }: TableNames,
  { read, list, connect }: KeyConnections,
  clock: () => number,
): PostgresKeyStore {
  const dialect = {
    name: apiKeys,
    fromJson: `json_to_recordset($1::text::json) AS keys (${jsonColumns}) WHERE true`,
    hashNumberSql: `('x' || substr(sha256, 1, 6))::bit(24)::int::bigint`,
  }
  const selectByHashes = createListStatement(apiKeys, `sha256 = ANY (string_to_array($1, ','))`)
  const find = createKeyLookups(
    async (hashes) => (await read<KeyRow>(selectByHashes, [hashes.join()])).map(parseFoundKey),
    clock,
  )
  return createSqlKeyStore(find, clock, {
    list: createKeyStatements({ ...dialect, run: list }, clock).list,
    count: createKeyStatements({ ...dialect, run: read }, clock).count,
    update: (selection, change) =>
      runInTransaction(connect, 'update', async (run) => {
        // Another process must not change keys after this one has read them. The lock ends with the transaction.
        await run(`SELECT pg_advisory_xact_lock(hashtext('${updateLockPrefix} ' || $1))`, [apiKeys])
        return createKeyStatements({ ...dialect, run }, clock).change(selection, change)
      }),
  })
}

import type { KeyStore } from '../../core/index.ts'
import { anyValue, checkOptions } from '../../core/internal.ts'
import type { KeyRecords } from '../sql/key-records.ts'
import {
  createKeyStatements,
  createSqlKeyStore,
  type KeyRow,
  listStatement,
  parseFoundKey,
} from '../sql/keys.ts'
import { createQuery, type PostgresStoreOptions } from './client.ts'
import { createKeyLookups } from './key-lookups.ts'
import { toTable } from './table.ts'
import { isInTransaction, transaction } from './transaction.ts'

/**
 * Options of `createPostgresKeyStore`. If the table of the animals is `pets`, the table of the keys is `pets_api_keys`.
 * `update` requires a client that is one connection and has no other use.
 */
export interface PostgresKeyStoreOptions extends PostgresStoreOptions {
  /** Returns milliseconds since the epoch; `Date.now` by default. It decides which keys have expired. */
  readonly clock?: () => number
}

/** A key store in PostgreSQL, whose keys can be changed. */
export interface PostgresKeyStore extends KeyStore, KeyRecords {}

/** The columns of the JSON that an update sends. */
const columns =
  'sha256 text, id text, plan text, minute bigint, day bigint, label text, "createdAt" bigint, "expiresAt" bigint, "revokedAt" bigint'

/** The first part of the name of the lock of an update. The second part is the table. */
const lockName = 'pet_adoption_service.changing_keys'

/**
 * Creates a key store that reads the keys of PostgreSQL, for any number of replicas. Call `migrate` before the first
 * request.
 *
 * A valid key is cached for 5 s: every replica rejects a revoked key within that time, and a new key is valid
 * immediately. While PostgreSQL does not respond, `find` rejects with `StoreUnavailable` unless the key is cached.
 * Unknown tokens are not cached. At most four queries for keys are in flight, and further lookups share the next one.
 *
 * @throws {TypeError} An option is invalid or unknown; the message names it.
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
  checkOptions(options, { client: anyValue, table: anyValue, clock: anyValue })
  const { client, table = 'pets', clock = () => Date.now() } = options
  const query = createQuery(client)
  const { apiKeys } = toTable(table)
  const dialect = {
    name: apiKeys,
    fromJson: `json_to_recordset($1::text::json) AS keys (${columns}) WHERE ${isInTransaction}`,
    hashNumber: `('x' || substr(sha256, 1, 6))::bit(24)::int::bigint`,
  }
  const selectByHashes = listStatement(apiKeys, `sha256 = ANY (string_to_array($1, ','))`)
  const find = createKeyLookups(
    async (hashes) => (await query<KeyRow>(selectByHashes, [hashes.join()])).map(parseFoundKey),
    clock,
  )
  const { list, count } = createKeyStatements({ ...dialect, run: query }, clock)

  return createSqlKeyStore(find, clock, {
    list,
    count,
    update: (selection, change) =>
      transaction(client, 'update', async (run) => {
        // Waits while another process changes keys. The lock ends with the transaction.
        await run(`SELECT pg_advisory_xact_lock(hashtext('${lockName} ' || $1))`, [apiKeys])
        return createKeyStatements({ ...dialect, run }, clock).change(selection, change)
      }),
  })
}

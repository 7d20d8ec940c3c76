import type {
  Caller,
  KeyChange,
  KeyCount,
  KeyRecord,
  KeyRecords,
  KeySelection,
  KeyStore,
} from '../../core/index.ts'
import { anyValue, chain, checkOptions, digest, findByDigest, hexOfDigest } from '../../core/internal.ts'
import {
  callerOfRow,
  changedRows,
  countingStatement,
  countOfRow,
  isInForce,
  type KeyRow,
  listStatement,
  recordsOf,
  storedKey,
  upsertStatement,
} from '../sql/key-row.ts'
import type { Promised } from '../sql/store.ts'
import { createQuery, type PostgresClient, type Query } from './client.ts'
import { createKeyLookups } from './key-lookups.ts'
import { tableNamed } from './table.ts'
import { isInTransaction, transaction } from './transaction.ts'

/** How `createPostgresKeyStore` is set up. */
export interface PostgresKeyStoreOptions {
  /** A client as for `createPostgresStore`. `update` requires one that is a single connection with no other use. */
  readonly client: PostgresClient
  /**
   * The table of the animals, as for `createPostgresStore`; `pets` by default. That of the keys is `pets_api_keys`
   * then.
   */
  readonly table?: string
  /** Returns the milliseconds since the epoch; `Date.now` by default. It decides which keys have expired. */
  readonly clock?: () => number
}

/** A key store in PostgreSQL, whose keys can be changed. */
export interface PostgresKeyStore extends KeyStore, Promised<KeyRecords, 'list' | 'count' | 'update'> {}

/** The number that the first six digits of a hash are. */
const hashNumber = `('x' || substr(sha256, 1, 6))::bit(24)::int::bigint`

/** What the lock of an update is named after, with the table. */
const lockName = 'pet_adoption_service.changing_keys'

/**
 * Creates a key store that reads the keys of PostgreSQL, for any number of replicas. Call `migrate` before the first
 * request.
 *
 * A key that was found valid is read again after five seconds: a revoked key is rejected by every replica within that
 * time, and a new one is valid at once. While PostgreSQL does not respond, `find` rejects with `StoreUnavailable` once
 * the five seconds are over. Unknown tokens are not cached; at most four queries for keys run at a time, and lookups
 * that come meanwhile share the next one.
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
  const { apiKeys } = tableNamed(table)
  const ofHashes = listStatement(apiKeys, `sha256 = ANY (string_to_array($1, ','))`)
  const upsert = upsertStatement(
    apiKeys,
    `SELECT $1::text, $2::text, $3::text, $4::text::bigint, $5::text::bigint, $6::text, $7::text::bigint,
      $8::text::bigint, $9::text::bigint WHERE ${isInTransaction}`,
  )
  const findRow = createKeyLookups((hashes) => query<KeyRow>(ofHashes, [hashes.join()]), clock)

  function findKey(tokenDigest: string): Caller | undefined | Promise<Caller | undefined> {
    return chain(findRow(hexOfDigest(tokenDigest)), (row) =>
      row && isInForce(row, clock()) ? callerOfRow(row) : undefined,
    )
  }

  async function read(query: Query, selection: KeySelection): Promise<readonly KeyRecord[]> {
    const [where, value] =
      'id' in selection ? ['id = $1', selection.id] : ['starts_with(sha256, $1)', selection.sha256]
    return recordsOf(await query(listStatement(apiKeys, where), [value]))
  }

  const store = {
    find: (token: string) => findKey(digest(token)),
    [findByDigest]: findKey,
    list: (selection: KeySelection = { sha256: '' }) => read(query, selection),
    async count(now: number): Promise<KeyCount> {
      const [row] = await query(countingStatement(apiKeys, '$1::text::bigint', hashNumber), [now])
      if (!row) throw new Error('PostgreSQL returned no count')
      return countOfRow(row)
    },
    update: (selection: KeySelection, change: KeyChange) =>
      transaction(client, 'update', async (query): Promise<readonly KeyRecord[]> => {
        // Waits until no other process changes keys; the lock ends with the transaction.
        await query(`SELECT pg_advisory_xact_lock(hashtext('${lockName} ' || $1))`, [apiKeys])
        const before = await read(query, selection)
        const stored: KeyRecord[] = []
        for (const values of changedRows(before, change, clock())) {
          const [row] = await query(upsert, values)
          stored.push(storedKey(row))
        }
        return stored
      }),
  }
  return store // its type does not show the symbol
}

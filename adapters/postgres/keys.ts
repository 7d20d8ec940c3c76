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
  type CallerRow,
  callerColumns,
  callerOfRow,
  checkChanges,
  countingStatement,
  countOfRow,
  isInForce,
  type KeyCountRow,
  type KeyRow,
  keyColumns,
  keyRowValues,
  recordOfRow,
  selectedKeyColumns,
  storedKey,
} from '../sql/key-row.ts'
import { createQuery, type PostgresClient, type PostgresValue } from './client.ts'
import { createKeyLookups } from './key-lookups.ts'
import { tableNamed } from './table.ts'

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
export interface PostgresKeyStore extends KeyStore, KeyRecords {
  list(selection?: KeySelection): Promise<readonly KeyRecord[]>
  count(now: number): Promise<KeyCount>
}

/** The number that the first six digits of a hash are. */
const hashNumber = `('x' || substr(sha256, 1, 6))::bit(24)::int::bigint`

/** A setting that exists within the transaction of an update only. */
const marker = 'pet_adoption_service.changing_keys'

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
  const select = `SELECT ${selectedKeyColumns} FROM ${apiKeys}`
  const ofHashes = `SELECT ${callerColumns} FROM ${apiKeys} WHERE sha256 = ANY (string_to_array($1, ','))`
  const upsert = `INSERT INTO ${apiKeys} AS stored (${keyColumns})
    SELECT $1::text, $2::text, $3::text, $4::text::bigint, $5::text::bigint, $6::text, $7::text::bigint, $8::text::bigint, $9::text::bigint
    WHERE current_setting('${marker}', true) = 'yes'
    ON CONFLICT (sha256) DO UPDATE SET (${keyColumns}) = (${keyColumns.replaceAll(/\w+/g, 'excluded.$&')})
    WHERE stored.id = excluded.id RETURNING ${selectedKeyColumns}`
  const lookups = createKeyLookups((hashes) => query<CallerRow>(ofHashes, [hashes.join()]), clock)

  function findKey(tokenDigest: string): Caller | undefined | Promise<Caller | undefined> {
    return chain(lookups.find(hexOfDigest(tokenDigest)), (row) =>
      row && isInForce(row, clock()) ? callerOfRow(row) : undefined,
    )
  }

  async function list(selection?: KeySelection): Promise<readonly KeyRecord[]> {
    const [where, values] = conditionOf(selection)
    return (await query<KeyRow>(`${select} ${where} ORDER BY id, created_at, sha256`, values)).map(
      recordOfRow,
    )
  }

  /** Waits until no other process changes keys. The lock, and the marker, end with the transaction. */
  async function begin(): Promise<void> {
    await query('BEGIN')
    await query(
      `SELECT set_config('${marker}', 'yes', true), pg_advisory_xact_lock(hashtext('${marker} ' || $1))`,
      [apiKeys],
    )
    const [row] = await query<{ held: string | null }>(`SELECT current_setting('${marker}', true) AS held`)
    if (row?.held !== 'yes')
      throw new TypeError('update requires options.client to be one connection: pass a pg Client, not a Pool')
  }

  const store = {
    find: (token: string) => findKey(digest(token)),
    [findByDigest]: findKey,
    list,
    async count(now: number): Promise<KeyCount> {
      const [row] = await query<KeyCountRow>(countingStatement(apiKeys, '$1::text::bigint', hashNumber), [
        now,
      ])
      if (!row) throw new Error('PostgreSQL returned no count')
      return countOfRow(row)
    },
    async update(selection: KeySelection, change: KeyChange): Promise<readonly KeyRecord[]> {
      try {
        await begin()
        const before = await list(selection)
        const changed = change(before)
        checkChanges(before, changed)
        const stored: KeyRecord[] = []
        for (const record of changed) {
          const [row] = await query(upsert, keyRowValues(record, clock()))
          stored.push(storedKey(row))
        }
        await query('COMMIT')
        return stored
      } catch (error) {
        await client.query('ROLLBACK').catch(() => {}) // a lost connection has rolled back by itself
        throw error
      }
    },
  }
  return store // its type does not show the symbol
}

/** Returns the condition of a selection, with its values. */
function conditionOf(selection: KeySelection | undefined): [where: string, values: PostgresValue[]] {
  if (!selection) return ['', []]
  if ('id' in selection) return ['WHERE id = $1', [selection.id]]
  return ['WHERE starts_with(sha256, $1)', [selection.sha256]]
}

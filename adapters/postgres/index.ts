import type { PetStore } from '../../core/index.ts'
import { anyValue, checkOptions } from '../../core/internal.ts'
import type { PetRow, Promised, Transfer } from '../sql/store.ts'
import { createQuery, type PostgresStoreOptions } from './client.ts'
import { createCreations } from './creations.ts'
import { createReads, parsePetColumns, petColumns } from './reads.ts'
import { toTable } from './table.ts'
import { exportFrom, importInto } from './transfer.ts'

export type { KeyChange, KeyCount, KeyRecords, KeySelection } from '../sql/key-records.ts'
export type { SchemaVersions } from '../sql/schema-versions.ts'
export type { Promised, Transfer } from '../sql/store.ts'
export type {
  PostgresClient,
  PostgresResult,
  PostgresStoreOptions,
  PostgresValue,
} from './client.ts'
export {
  createPostgresKeyStore,
  type PostgresKeyStore,
  type PostgresKeyStoreOptions,
} from './keys.ts'
export { migrate } from './schema.ts'

/**
 * A store whose methods return promises. An import or an export requires a client that is one connection and has no
 * other use until it ends; it throws a `TypeError` for a pool. Once an import has stored an animal with an id, changes
 * by others wait until it ends.
 */
export interface PostgresStore extends Promised<PetStore, keyof PetStore>, Transfer {
  /**
   * Checks that animals can be created, and stores none. Rejects as `create` does: if a privilege is missing, on a
   * read-only server, and after its wait for a lock of the table.
   *
   * @param options - With `whole`, an animal is stored and rolled back, which also finds a full disk and takes an id;
   * false by default.
   */
  checkWrites(options?: { readonly whole?: boolean }): Promise<void>
}

/** The error code of a check that rolls itself back. PostgreSQL never uses it. */
const rollbackCode = 'PTCHK'

/**
 * Creates a store of animals in PostgreSQL, for any number of replicas. Call `migrate` before the first request.
 *
 * A creation fulfills when it is committed, and every replica shows it from then on. Ids are assigned before the commit,
 * so of two creations that overlap, the one with the greater id may be seen first. Pages by `after` list every animal
 * that existed when the first page was read exactly once, and may miss one that was being created.
 *
 * Calls in one turn of the event loop share statements: equal pages, animals by their ids, and creations. A statement
 * is sent after its last call, so each call sees what was stored before it.
 *
 * The methods reject with `StoreUnavailable` while PostgreSQL does not respond. A change in flight may or may not have
 * been stored: a client repeats a creation with the same `Idempotency-Key`. Idempotency keys expire by the clock of the
 * database.
 *
 * @throws {TypeError} An option is invalid or unknown; the message names it.
 * @example
 * import { createPostgresStore } from 'pet-adoption-service/postgres'
 * import pg from 'pg'
 *
 * const client = new pg.Pool({ connectionString: 'postgres://127.0.0.1/shelter', query_timeout: 5000 })
 * client.on('error', console.error)
 * const store = createPostgresStore({ client })
 */
export function createPostgresStore(options: PostgresStoreOptions): PostgresStore {
  checkOptions(options, { client: anyValue, table: anyValue })
  const { client, table = 'pets' } = options
  const query = createQuery(client)
  const tables = toTable(table)
  const change = `UPDATE ${tables.name} AS pet SET name = coalesce($2::text, name),
    category_id = coalesce($3::text::bigint, category_id), status = CASE WHEN $4::text = '' THEN status ELSE $4::text END
    WHERE pet.id = $1::text::bigint RETURNING ${petColumns}`
  const insertPet = `INSERT INTO ${tables.name} (name, category_id)`
  const insertKey = `INSERT INTO ${tables.creations} (token, fingerprint, pet_id, expires_at)`
  const sequence = `pg_get_serial_sequence('${tables.name}', 'id')`
  // Rejects as a creation does on a read-only server, behind a lock of a table, or without a privilege. That includes the
  // privilege for the sequence, from which a creation with an idempotency key takes its id.
  const lightCheck = `
    WITH key AS (
      ${insertKey} SELECT '', '', 0, 0 WHERE false ON CONFLICT (token) DO UPDATE SET pet_id = excluded.pet_id
    ), expired AS (DELETE FROM ${tables.creations} WHERE false)
    ${insertPet} SELECT '', nextval(${sequence}) WHERE NOT has_sequence_privilege(${sequence}, 'USAGE, UPDATE')`
  // Also rejects on a full disk. Uses up an id, and some space until the next vacuum.
  const wholeCheck = `DO $$ BEGIN
      ${insertKey} SELECT gen_random_uuid()::text, '', 0, 0;
      ${insertPet} VALUES ('', 0);
      RAISE EXCEPTION USING ERRCODE = '${rollbackCode}';
    EXCEPTION WHEN SQLSTATE '${rollbackCode}' THEN NULL;
    END $$`
  const remove = `DELETE FROM ${tables.name} AS pet WHERE pet.id = $1::text::bigint RETURNING pet.id::text AS id`

  return {
    ...createReads(tables, query),
    ...createCreations(tables, query),
    async update(id, { name, categoryId, status }) {
      const category = categoryId === undefined ? null : String(categoryId)
      const kept = '' // unlike null, which removes the status
      const values = [String(id), name ?? null, category, status === undefined ? kept : status]
      const [row] = await query<PetRow>(change, values)
      return row && parsePetColumns(row)
    },
    remove: async (id) => (await query(remove, [String(id)])).length > 0,
    async checkWrites({ whole = false } = {}) {
      await query(whole ? wholeCheck : lightCheck)
    },
    exportPets: () => exportFrom(tables, client),
    importPets: (pets) => importInto(tables, client, pets),
  }
}

import type { PetStore } from '../../core/index.ts'
import type { Transfer } from '../backend/index.ts'
import type { PetRow, Promised } from '../sql/store.ts'
import type { Query } from './client.ts'
import { createCreationMethods } from './creations.ts'
import { createReadMethods, parsePetColumns, petColumns } from './reads.ts'
import type { TableNames } from './table.ts'
import type { Connect } from './transaction.ts'
import { exportPets, importPets } from './transfer.ts'

/**
 * A store for animals in PostgreSQL, with imports and exports. An import or export borrows a connection, and throws a
 * `TypeError` if the client cannot lend one. On a pg `Client`, other store calls wait at most 5 s for it to end, and
 * the application must send no statements. After an import has stored an animal with an id, changes by others wait
 * until the import ends.
 */
export interface PostgresStore extends Promised<PetStore, keyof PetStore>, Transfer {
  /**
   * Checks whether animals can be created, without creating any. The check fails if a privilege is missing, if the
   * server is read-only, or if it times out waiting for a locked table.
   *
   * @param options - With `whole`, the check also stores an animal and rolls it back. That detects a full disk and uses
   * up an id. False by default.
   * @throws {StoreUnavailableError} If a creation would fail now.
   */
  checkWrites(options?: { readonly whole?: boolean }): Promise<void>
}

/** How a store sends its statements. */
export interface StoreConnections {
  readonly read: Query
  readonly write: Query
  /** Opens a connection for an import or export. */
  readonly connect: Connect
}

/** SQLSTATE code that rolls back the check. PostgreSQL never uses it. */
const checkRollbackCode = 'PTCHK'

/** Creates a store that sends statements over the given connections. */
export function createStore(tables: TableNames, { read, write, connect }: StoreConnections): PostgresStore {
  const change = `UPDATE ${tables.name} AS pet SET name = coalesce($2::text, name),
    category_id = coalesce($3::text::bigint, category_id), status = CASE WHEN $4::text = '' THEN status ELSE $4::text END
    WHERE pet.id = $1::text::bigint RETURNING ${petColumns}`
  const insertPet = `INSERT INTO ${tables.name} (name, category_id)`
  const insertKey = `INSERT INTO ${tables.creations} (token, fingerprint, pet_id, expires_at)`
  const sequence = `pg_get_serial_sequence('${tables.name}', 'id')`
  // Fails if a creation would lack a privilege, on a read-only server and behind a table lock, but writes nothing. A
  // creation with an idempotency key takes its id from the sequence, which needs a privilege too.
  const lightCheck = `
    WITH key AS (
      ${insertKey} SELECT '', '', 0, 0 WHERE false ON CONFLICT (token) DO UPDATE SET pet_id = excluded.pet_id
    ), expired AS (DELETE FROM ${tables.creations} WHERE false)
    ${insertPet} SELECT '', nextval(${sequence}) WHERE NOT has_sequence_privilege(${sequence}, 'USAGE, UPDATE')`
  // Stores an animal and an idempotency key, and rolls both back. This uses up an id, and some space until the next
  // vacuum.
  const wholeCheck = `DO $$ BEGIN
      ${insertKey} SELECT gen_random_uuid()::text, '', 0, 0;
      ${insertPet} VALUES ('', 0);
      RAISE EXCEPTION USING ERRCODE = '${checkRollbackCode}';
    EXCEPTION WHEN SQLSTATE '${checkRollbackCode}' THEN NULL;
    END $$`
  const remove = `DELETE FROM ${tables.name} AS pet WHERE pet.id = $1::text::bigint RETURNING pet.id::text AS id`

  return {
    ...createReadMethods(tables, read),
    ...createCreationMethods(tables, read, write),
    async update(id, { name, categoryId, status }) {
      const category = categoryId === undefined ? null : String(categoryId)
      const unchanged = '' // `null` removes the status
      const values = [String(id), name ?? null, category, status === undefined ? unchanged : status]
      const [row] = await write<PetRow>(change, values)
      return row && parsePetColumns(row)
    },
    remove: async (id) => (await write(remove, [String(id)])).length > 0,
    async checkWrites({ whole = false } = {}) {
      await write(lightCheck) // first, because the whole check does not find a missing privilege for the sequence
      if (whole) await write(wholeCheck)
    },
    exportPets: () => exportPets(tables, connect),
    importPets: (pets) => importPets(tables, connect, pets),
  }
}

import type { Table } from './table.ts'

/** The statements that check whether animals can be stored. Each is a transaction of its own, and leaves no row. */
export interface WriteCheck {
  /** Stores nothing, and rejects as a creation does on a read-only server, without a privilege, or behind a lock of a table. */
  readonly light: string
  /** Stores an animal and rolls it back, so that it also rejects on a full disk. It takes an id, and space until the next vacuum. */
  readonly whole: string
}

/** The state with which a check undoes what it has stored. No error of PostgreSQL has it. */
const undone = 'PTCHK'

/** Writes the statements for a table. */
export function writeCheckOf({ name, creations }: Table): WriteCheck {
  const insert = `INSERT INTO ${name} (name, category_id)`
  const insertKey = `INSERT INTO ${creations} (token, fingerprint, pet_id, expires_at)`
  return {
    light: `WITH key AS (${insertKey} SELECT '', '', 0, 0 WHERE false) ${insert} SELECT '', 0 WHERE false`,
    whole: `DO $$ BEGIN
      ${insertKey} SELECT gen_random_uuid()::text, '', 0, 0;
      ${insert} VALUES ('', 0);
      RAISE EXCEPTION USING ERRCODE = '${undone}';
    EXCEPTION WHEN SQLSTATE '${undone}' THEN NULL;
    END $$`,
  }
}

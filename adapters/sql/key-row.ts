import {
  type Caller,
  createKeyStore,
  type KeyChange,
  type KeyCount,
  type KeyRecord,
  type Plan,
} from '../../core/index.ts'

/** A whole number within 2^53, as drivers return it. */
type Whole = number | bigint | string

/** A key as a row of a table. Times are in milliseconds since the epoch. Null stands for none. */
export interface KeyRow {
  readonly sha256: string
  readonly id: string
  readonly plan: Plan
  readonly minute: Whole | null
  readonly day: Whole | null
  readonly label: string | null
  readonly createdAt: Whole
  readonly expiresAt: Whole | null
  readonly revokedAt: Whole | null
}

/** A row with the numbers of a `KeyCount`. */
interface KeyCountRow {
  readonly issued: Whole
  readonly inForce: Whole
  readonly nextExpiry: Whole | null
  readonly fingerprint: Whole | null
}

/** The columns of a table of keys, in the order of `changedRows`. */
const columns = 'sha256, id, plan, minute, day, label, created_at, expires_at, revoked_at'

/** The columns of a `KeyRow`. */
const selected =
  'sha256, id, plan, minute, day, label, created_at AS "createdAt", expires_at AS "expiresAt", revoked_at AS "revokedAt"'

/** Returns the statement that reads each `KeyRow` for which a condition is true. */
export function listStatement(table: string, where: string): string {
  return `SELECT ${selected} FROM ${table} AS keys WHERE ${where} ORDER BY id, created_at, sha256`
}

/** Returns the statement that stores the `values` of a changed row, and reads the row of `storedKey`. */
export function upsertStatement(table: string, values: string): string {
  return `INSERT INTO ${table} AS stored (${columns}) ${values}
    ON CONFLICT (sha256) DO UPDATE SET (${columns}) = (${columns.replaceAll(/\w+/g, 'excluded.$&')})
    WHERE stored.id = excluded.id RETURNING ${selected}`
}

/**
 * Returns the statement that reads a `KeyCountRow`. A caller whose older key ends during a rotation keeps the newer
 * one.
 *
 * @param now - The placeholder of the time.
 * @param number - The expression for the number that the first six digits of `sha256` are.
 */
export function countingStatement(table: string, now: string, number: string): string {
  return `
    SELECT count(*) AS issued, count(*) FILTER (WHERE valid) AS "inForce",
      min(expires_at) FILTER (WHERE valid AND expires_at IS NOT NULL AND NOT EXISTS (
        SELECT 1 FROM ${table} AS other WHERE other.id = keys.id AND other.revoked_at IS NULL
          AND (other.expires_at IS NULL OR other.expires_at > keys.expires_at)
      )) AS "nextExpiry",
      sum(CASE WHEN valid THEN ${number} ELSE 0 END) AS fingerprint
    FROM (
      SELECT sha256, id, expires_at, revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ${now}) AS valid
      FROM ${table}
    ) AS keys`
}

/** Returns the caller of a row. */
export function callerOfRow({ id, plan, minute, day }: KeyRow): Caller {
  return minute === null || day === null
    ? { id, plan }
    : { id, plan, limits: { minute: Number(minute), day: Number(day) } }
}

/** Returns whether the key of a row is valid at `now`, in milliseconds since the epoch. */
export function isInForce({ expiresAt, revokedAt }: KeyRow, now: number): boolean {
  return revokedAt === null && (expiresAt === null || now < Number(expiresAt))
}

function recordOfRow(row: KeyRow): KeyRecord {
  const { sha256, label, createdAt, expiresAt, revokedAt } = row
  return {
    ...callerOfRow(row),
    sha256,
    ...(label !== null && { label }),
    createdAt: isoTime(createdAt),
    ...(expiresAt !== null && { expiresAt: isoTime(expiresAt) }),
    ...(revokedAt !== null && { revokedAt: isoTime(revokedAt) }),
  }
}

/** Returns the records of rows that `listStatement` reads. */
export function recordsOf(rows: readonly unknown[]): readonly KeyRecord[] {
  return (rows as readonly KeyRow[]).map(recordOfRow)
}

/** Returns the count of a row that `countingStatement` reads. */
export function countOfRow(row: unknown): KeyCount {
  const { issued, inForce, nextExpiry, fingerprint } = row as KeyCountRow
  const count = { issued: Number(issued), inForce: Number(inForce), fingerprint: Number(fingerprint) }
  return nextExpiry === null ? count : { ...count, nextExpiry: Number(nextExpiry) }
}

/**
 * Returns the values of the rows to store for a change of keys. A key without a time of issue gets `now`.
 *
 * @throws {TypeError} A key is invalid, or differs in its plan from another of the same caller.
 */
export function changedRows(
  before: readonly KeyRecord[],
  change: KeyChange,
  now: number,
): readonly (string | number | null)[][] {
  const changed = change(before)
  const replaced = new Set(changed.map(({ sha256 }) => sha256))
  createKeyStore([...changed, ...before.filter(({ sha256 }) => !replaced.has(sha256))])
  return changed.map((record) => {
    const { sha256, id, plan, limits, label, createdAt, expiresAt, revokedAt } = record
    const times = [createdAt ? Date.parse(createdAt) : now, msOf(expiresAt), msOf(revokedAt)]
    return [sha256, id, plan, limits?.minute ?? null, limits?.day ?? null, label ?? null, ...times]
  })
}

/**
 * Returns the key that a statement has stored.
 *
 * @throws {TypeError} It returned no row, because another caller has a key with the same hash.
 */
export function storedKey(row: unknown): KeyRecord {
  if (!row) throw new TypeError('the sha256 of a key is that of another caller')
  return recordOfRow(row as KeyRow) // that of `upsertStatement`
}

function msOf(time: string | undefined): number | null {
  return time === undefined ? null : Date.parse(time)
}

function isoTime(ms: Whole): string {
  return new Date(Number(ms)).toISOString()
}

import { type Caller, createKeyStore, type KeyCount, type KeyRecord, type Plan } from '../../core/index.ts'

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

/** The columns of a key by which its caller is found, for a SELECT. */
export const callerColumns =
  'sha256, id, plan, minute, day, expires_at AS "expiresAt", revoked_at AS "revokedAt"'

/** A key with these columns. */
export type CallerRow = Omit<KeyRow, 'label' | 'createdAt'>

/** A row with the numbers of a `KeyCount`. */
export interface KeyCountRow {
  readonly issued: Whole
  readonly inForce: Whole
  readonly nextExpiry: Whole | null
  readonly fingerprint: Whole | null
}

/** The columns of a table of keys, in the order of `keyRowValues`. */
export const keyColumns = 'sha256, id, plan, minute, day, label, created_at, expires_at, revoked_at'

/** The columns of a `KeyRow`, for a SELECT. */
export const selectedKeyColumns =
  'sha256, id, plan, minute, day, label, created_at AS "createdAt", expires_at AS "expiresAt", revoked_at AS "revokedAt"'

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
export function callerOfRow({ id, plan, minute, day }: CallerRow): Caller {
  return minute === null || day === null
    ? { id, plan }
    : { id, plan, limits: { minute: Number(minute), day: Number(day) } }
}

/** Returns whether the key of a row is valid at `now`, in milliseconds since the epoch. */
export function isInForce(
  { expiresAt, revokedAt }: Pick<KeyRow, 'expiresAt' | 'revokedAt'>,
  now: number,
): boolean {
  return revokedAt === null && (expiresAt === null || now < Number(expiresAt))
}

/** Returns the record of a row. */
export function recordOfRow(row: KeyRow): KeyRecord {
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

/** Returns the values of a row for a record. A record without a time of issue gets `now`. */
export function keyRowValues(record: KeyRecord, now: number): (string | number | null)[] {
  const { sha256, id, plan, limits, label, createdAt, expiresAt, revokedAt } = record
  const times = [createdAt ? Date.parse(createdAt) : now, msOf(expiresAt), msOf(revokedAt)]
  return [sha256, id, plan, limits?.minute ?? null, limits?.day ?? null, label ?? null, ...times]
}

/** Returns the numbers of a row. */
export function countOfRow({ issued, inForce, nextExpiry, fingerprint }: KeyCountRow): KeyCount {
  const count = { issued: Number(issued), inForce: Number(inForce), fingerprint: Number(fingerprint) }
  return nextExpiry === null ? count : { ...count, nextExpiry: Number(nextExpiry) }
}

/**
 * Checks the changes of keys, together with the keys that they belong to.
 *
 * @throws {TypeError} A key is invalid, or differs in its plan from another of the same caller.
 */
export function checkChanges(before: readonly KeyRecord[], changed: readonly KeyRecord[]): void {
  const replaced = new Set(changed.map(({ sha256 }) => sha256))
  createKeyStore([...changed, ...before.filter(({ sha256 }) => !replaced.has(sha256))])
}

/**
 * Returns the key that a statement has stored.
 *
 * @throws {TypeError} It returned no row, because another caller has a key with the same hash.
 */
export function storedKey(row: unknown): KeyRecord {
  if (!row) throw new TypeError('the sha256 of a key is that of another caller')
  return recordOfRow(row as KeyRow) // the statement returns `selectedKeyColumns`
}

function msOf(time: string | undefined): number | null {
  return time === undefined ? null : Date.parse(time)
}

function isoTime(ms: Whole): string {
  return new Date(Number(ms)).toISOString()
}

import {
  type Caller,
  createKeyStore,
  type KeyRecord,
  type MaybePromise,
  type Plan,
  sha256,
} from '../../core/index.ts'
import { chain, toIsoTime } from '../../core/internal.ts'
import {
  createKeyManagement,
  type KeyCount,
  type KeyRecords,
  type KeySelection,
  type ManagedKeyStore,
} from '../backend/index.ts'

/** A whole number up to 2^53. Statements cast it to text, because drivers return numbers in different ways. */
type WholeNumber = number | string

/** A key as a row. Times are in milliseconds since the epoch. A missing value is `null`. */
export interface KeyRow {
  readonly sha256: string
  readonly id: string
  readonly plan: Plan
  readonly minute: WholeNumber | null
  readonly day: WholeNumber | null
  readonly label: string | null
  readonly createdAt: WholeNumber
  readonly expiresAt: WholeNumber | null
  readonly revokedAt: WholeNumber | null
}

/** A key that a lookup has found. */
export interface FoundKey {
  readonly sha256: string
  readonly caller: Caller
  /**
   * When the key expires, in milliseconds since the epoch. The value is `Infinity` if the key never expires, and
   * `-Infinity` if it is revoked.
   */
  readonly validUntil: number
}

/** The key table's columns. `members` has the same order, in the spelling of {@link KeyRow}. */
const columns = 'sha256, id, plan, minute, day, label, created_at, expires_at, revoked_at'
const members = 'sha256, id, plan, minute, day, label, "createdAt", "expiresAt", "revokedAt"'

const selectedColumns = `sha256, id, plan, CAST(minute AS text) AS minute, CAST(day AS text) AS day, label,
  CAST(created_at AS text) AS "createdAt", CAST(expires_at AS text) AS "expiresAt",
  CAST(revoked_at AS text) AS "revokedAt"`

/** Returns a statement that lists the keys that match a condition, by id and creation time. */
export function createListStatement(table: string, where: string): string {
  return `SELECT ${selectedColumns} FROM ${table} AS keys WHERE ${where} ORDER BY keys.id, created_at, sha256`
}

/** How a database expresses the statements for keys. */
export interface KeyTable {
  readonly name: string
  /** Table expression that reads key rows from the JSON array in `$1`. */
  readonly fromJson: string
  /** SQL that converts the first 6 hexadecimal digits in `sha256` to a number. */
  readonly hashNumberSql: string
  /** Runs a statement and returns its rows. The statement uses each value once. */
  run(statement: string, values: (string | number)[]): MaybePromise<readonly unknown[]>
}

/**
 * Creates the methods that list, count and change keys. They return immediately if `run` does. Call `change` within a
 * transaction.
 *
 * @param clock - Returns milliseconds since the epoch, used as the creation time if a new key has none.
 */
export function createKeyStatements(
  { name, fromJson, hashNumberSql, run }: KeyTable,
  clock: () => number,
): Omit<KeyRecords, 'update'> & {
  change(...values: Parameters<KeyRecords['update']>): MaybePromise<readonly KeyRecord[]>
} {
  const selectById = createListStatement(name, 'keys.id = $1')
  // Comparing hashes with `<` would depend on the database's language. In Danish, `aa` comes after `z`.
  const selectByHashPrefix = createListStatement(
    name,
    'substr(sha256, 1, CAST(CAST($1 AS text) AS integer)) = $2',
  )
  const upsert = `INSERT INTO ${name} AS stored (${columns}) SELECT ${members} FROM ${fromJson}
    ON CONFLICT (sha256) DO UPDATE SET (${columns}) = (${columns.replaceAll(/\w+/g, 'excluded.$&')})
    WHERE stored.id = excluded.id RETURNING sha256`
  // During a rotation, a caller's old key expires while a newer one is valid. Such an expiry does not count.
  const countStatement = `
    SELECT CAST(count(*) AS text) AS issued, CAST(count(*) FILTER (WHERE valid) AS text) AS "inForce",
      CAST(min(expires_at) FILTER (WHERE valid AND expires_at IS NOT NULL AND NOT EXISTS (
        SELECT 1 FROM ${name} AS other WHERE other.id = keys.id AND other.revoked_at IS NULL
          AND (other.expires_at IS NULL OR other.expires_at > keys.expires_at)
      )) AS text) AS "nextExpiry",
      CAST(sum(CASE WHEN valid THEN ${hashNumberSql} ELSE 0 END) AS text) AS fingerprint
    FROM (
      SELECT sha256, id, expires_at,
        revoked_at IS NULL AND (expires_at IS NULL OR expires_at > CAST(CAST($1 AS text) AS bigint)) AS valid
      FROM ${name}
    ) AS keys`

  function list(selection: KeySelection = { sha256: '' }): MaybePromise<readonly KeyRecord[]> {
    const rows =
      'id' in selection
        ? run(selectById, [selection.id])
        : run(selectByHashPrefix, [selection.sha256.length, selection.sha256])
    return chain(rows, (rows) => (rows as readonly KeyRow[]).map(parseKeyRecord)) // the statement selects these columns
  }

  return {
    list,
    count: (now) => chain(run(countStatement, [now]), ([row]) => parseKeyCount(row)),
    change: (selection, change) =>
      chain(list(selection), (before) => {
        const changed = change(before)
        const replaced = new Set(changed.map(({ sha256 }) => sha256))
        createKeyStore([...changed, ...before.filter(({ sha256 }) => !replaced.has(sha256))])
        const rows = changed.map((record) => toKeyRow(record, clock()))
        return chain(run(upsert, [JSON.stringify(rows)]), (stored) => {
          if (stored.length < rows.length)
            throw new TypeError('the sha256 of a key belongs to another caller')
          return rows.map(parseKeyRecord)
        })
      }),
  }
}

/** Creates a key store that combines a lookup by hash with methods for key management. */
export function createSqlKeyStore(
  find: (hash: string) => MaybePromise<FoundKey | undefined>,
  clock: () => number,
  records: KeyRecords,
): ManagedKeyStore {
  const toCaller = (key: FoundKey | undefined) => (key && clock() < key.validUntil ? key.caller : undefined)
  return {
    ...records,
    ...createKeyManagement(records, clock),
    find: (token, hash = sha256(token)) => chain(find(hash), toCaller),
  }
}

/** Parses a row into the result of a lookup. */
export function parseFoundKey(row: KeyRow): FoundKey {
  const { sha256, expiresAt, revokedAt } = row
  const validUntil = revokedAt === null ? Number(expiresAt ?? Infinity) : -Infinity
  return { sha256, caller: parseCaller(row), validUntil }
}

function parseCaller({ id, plan, minute, day }: KeyRow): Caller {
  return minute === null || day === null
    ? { id, plan }
    : { id, plan, limits: { minute: Number(minute), day: Number(day) } }
}

function parseKeyRecord(row: KeyRow): KeyRecord {
  const { sha256, label, createdAt, expiresAt, revokedAt } = row
  return {
    ...parseCaller(row),
    sha256,
    ...(label !== null && { label }),
    createdAt: toIsoTime(createdAt),
    ...(expiresAt !== null && { expiresAt: toIsoTime(expiresAt) }),
    ...(revokedAt !== null && { revokedAt: toIsoTime(revokedAt) }),
  }
}

function toKeyRow({ limits, label, createdAt, ...record }: KeyRecord, now: number): KeyRow {
  const { expiresAt, revokedAt } = record
  return {
    ...record,
    minute: limits?.minute ?? null,
    day: limits?.day ?? null,
    label: label ?? null,
    createdAt: createdAt === undefined ? now : Date.parse(createdAt),
    expiresAt: expiresAt === undefined ? null : Date.parse(expiresAt),
    revokedAt: revokedAt === undefined ? null : Date.parse(revokedAt),
  }
}

/** Parses the row of the count statement. */
function parseKeyCount(row: unknown): KeyCount {
  const { issued, inForce, nextExpiry, fingerprint } = row as Record<keyof KeyCount, WholeNumber | null>
  const count = { issued: Number(issued), inForce: Number(inForce), fingerprint: Number(fingerprint) }
  return nextExpiry === null ? count : { ...count, nextExpiry: Number(nextExpiry) }
}

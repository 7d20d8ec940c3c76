import {
  type Caller,
  createKeyStore,
  type KeyRecord,
  type KeyStore,
  type MaybePromise,
  type Plan,
  sha256,
} from '../../core/index.ts'
import { chain, toIsoTime } from '../../core/internal.ts'
import type { KeyCount, KeyRecords, KeySelection } from './key-records.ts'

/** A whole number within 2^53, in a row as text, since drivers return numbers in several ways. */
type Whole = number | string

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

/** A key as lookups cache it. */
export interface FoundKey {
  readonly sha256: string
  readonly caller: Caller
  /** The time it becomes invalid, in milliseconds since the epoch; `-Infinity` for a revoked key. */
  readonly endsAt: number
}

/** The columns of a table of keys, and the members of a `KeyRow`, in the same order. */
const columns = 'sha256, id, plan, minute, day, label, created_at, expires_at, revoked_at'
const members = 'sha256, id, plan, minute, day, label, "createdAt", "expiresAt", "revokedAt"'

const selected = `sha256, id, plan, CAST(minute AS text) AS minute, CAST(day AS text) AS day, label,
  CAST(created_at AS text) AS "createdAt", CAST(expires_at AS text) AS "expiresAt",
  CAST(revoked_at AS text) AS "revokedAt"`

/** Returns the statement that reads each `KeyRow` that meets a condition. */
export function listStatement(table: string, where: string): string {
  return `SELECT ${selected} FROM ${table} AS keys WHERE ${where} ORDER BY keys.id, created_at, sha256`
}

/** A table of keys, in the SQL of its database. */
export interface KeyTable {
  readonly name: string
  /** The rows of the JSON array `$1` to store, with their columns as members. */
  readonly fromJson: string
  /** The number that the first six digits of `sha256` are. */
  readonly hashNumber: string
  /** Runs a statement with the values of `$1`, `$2` and so on, and returns its rows. It uses each value once. */
  run(statement: string, values: (string | number)[]): MaybePromise<readonly unknown[]>
}

/**
 * Returns the methods that read keys, and one that changes them within a transaction. They return immediately if `run`
 * does.
 *
 * @param clock - Returns milliseconds since the epoch: the time of issue of a key without one.
 */
export function createKeyStatements(
  { name, fromJson, hashNumber, run }: KeyTable,
  clock: () => number,
): Omit<KeyRecords, 'update'> & {
  change(...values: Parameters<KeyRecords['update']>): MaybePromise<readonly KeyRecord[]>
} {
  const ofId = listStatement(name, 'keys.id = $1')
  // A comparison of ranges would depend on the language of the database: a Danish one has `aa` behind `z`.
  const ofPrefix = listStatement(name, 'substr(sha256, 1, CAST(CAST($1 AS text) AS integer)) = $2')
  const store = `INSERT INTO ${name} AS stored (${columns}) SELECT ${members} FROM ${fromJson}
    ON CONFLICT (sha256) DO UPDATE SET (${columns}) = (${columns.replaceAll(/\w+/g, 'excluded.$&')})
    WHERE stored.id = excluded.id RETURNING sha256`
  // A caller whose older key expires during a rotation still has the newer one.
  const counting = `
    SELECT CAST(count(*) AS text) AS issued, CAST(count(*) FILTER (WHERE valid) AS text) AS "inForce",
      CAST(min(expires_at) FILTER (WHERE valid AND expires_at IS NOT NULL AND NOT EXISTS (
        SELECT 1 FROM ${name} AS other WHERE other.id = keys.id AND other.revoked_at IS NULL
          AND (other.expires_at IS NULL OR other.expires_at > keys.expires_at)
      )) AS text) AS "nextExpiry",
      CAST(sum(CASE WHEN valid THEN ${hashNumber} ELSE 0 END) AS text) AS fingerprint
    FROM (
      SELECT sha256, id, expires_at,
        revoked_at IS NULL AND (expires_at IS NULL OR expires_at > CAST(CAST($1 AS text) AS bigint)) AS valid
      FROM ${name}
    ) AS keys`

  function list(selection: KeySelection = { sha256: '' }): MaybePromise<readonly KeyRecord[]> {
    const rows =
      'id' in selection
        ? run(ofId, [selection.id])
        : run(ofPrefix, [selection.sha256.length, selection.sha256])
    return chain(rows, (rows) => (rows as readonly KeyRow[]).map(parseKeyRecord)) // the columns of the statement
  }

  return {
    list,
    count: (now) => chain(run(counting, [now]), ([row]) => parseKeyCount(row)),
    change: (selection, change) =>
      chain(list(selection), (before) => {
        const changed = change(before)
        const replaced = new Set(changed.map(({ sha256 }) => sha256))
        createKeyStore([...changed, ...before.filter(({ sha256 }) => !replaced.has(sha256))])
        const rows = changed.map((record) => toKeyRow(record, clock()))
        return chain(run(store, [JSON.stringify(rows)]), (stored) => {
          if (stored.length < rows.length)
            throw new TypeError('the sha256 of a key belongs to another caller')
          return rows.map(parseKeyRecord)
        })
      }),
  }
}

/** Returns a key store that finds a key by its hash. */
export function createSqlKeyStore(
  find: (hash: string) => MaybePromise<FoundKey | undefined>,
  clock: () => number,
  records: KeyRecords,
): KeyStore & KeyRecords {
  const toCaller = (key: FoundKey | undefined) => (key && clock() < key.endsAt ? key.caller : undefined)
  return { ...records, find: (token, hash = sha256(token)) => chain(find(hash), toCaller) }
}

/** Returns the key of a row for lookups. */
export function parseFoundKey(row: KeyRow): FoundKey {
  const { sha256, expiresAt, revokedAt } = row
  const endsAt = revokedAt === null ? Number(expiresAt ?? Infinity) : -Infinity
  return { sha256, caller: parseCaller(row), endsAt }
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

/** Returns the count of the row that the counting statement reads. */
function parseKeyCount(row: unknown): KeyCount {
  const { issued, inForce, nextExpiry, fingerprint } = row as Record<keyof KeyCount, Whole | null>
  const count = { issued: Number(issued), inForce: Number(inForce), fingerprint: Number(fingerprint) }
  return nextExpiry === null ? count : { ...count, nextExpiry: Number(nextExpiry) }
}

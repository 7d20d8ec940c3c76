import type {
  Caller,
  KeyChange,
  KeyCount,
  KeyRecord,
  KeyRecords,
  KeySelection,
  KeyStore,
} from '../../core/index.ts'
import { aFunction, digest, findByDigest, hexOfDigest } from '../../core/internal.ts'
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
import { createChangeCounter, createFileCache } from './changes.ts'
import type { SqliteDatabase } from './database.ts'
import { atWork } from './failure.ts'
import { openDatabase } from './schema.ts'
import { createWriter } from './writer.ts'

/** How `createSqliteKeyStore` is set up. */
export interface SqliteKeyStoreOptions {
  /**
   * An open database, which may be that of a `createSqliteStore`. Run no transaction of your own on it. While animals are
   * imported or exported on the same connection, lookups return the keys as they were when that began.
   */
  readonly database: SqliteDatabase
  /** Returns the milliseconds since the epoch; `Date.now` by default. It decides which keys have expired. */
  readonly clock?: () => number
  /**
   * How long the start and each change wait at most while another program writes to the file, in milliseconds: a number
   * from 0; 5000 by default.
   */
  readonly lockTimeoutMs?: number
}

/** A key store in a SQLite file, whose keys can be changed. */
export interface SqliteKeyStore extends KeyStore, KeyRecords {
  find(token: string): Caller | undefined
  list(selection?: KeySelection): readonly KeyRecord[]
  count(now: number): KeyCount
}

/** How many keys are cached: about 3 MB. */
const maxCached = 10_000

/** The number that the first six digits of a hash are. SQLite reads no hexadecimal text. */
const hashNumber = [1, 2, 3, 4, 5, 6]
  .map((place) => `((instr('0123456789abcdef', substr(sha256, ${place}, 1)) - 1) << ${24 - 4 * place})`)
  .join(' + ')

const upsert = `INSERT INTO api_keys (${keyColumns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (sha256) DO UPDATE SET (${keyColumns}) = (${keyColumns.replaceAll(/\w+/g, 'excluded.$&')})
  WHERE api_keys.id = excluded.id RETURNING ${selectedKeyColumns}`

/**
 * Creates a key store that reads the keys of a SQLite file. It prepares the file as `createSqliteStore` does.
 *
 * Every lookup checks whether the file has changed, and reads a key again if it has: a key that another process issues or
 * revokes counts from the next request on. The methods throw `StoreUnavailable` for a failure that may pass, and `update`
 * rejects with it while another program writes to the file for longer than `lockTimeoutMs`.
 *
 * @throws {TypeError} An option is invalid or unknown; the message names it.
 * @throws {Error} The file belongs to another program or another version, is damaged, read-only or locked.
 * @example
 * import { sha256 } from 'pet-adoption-service'
 * import { createSqliteKeyStore, type SqliteDatabase } from 'pet-adoption-service/sqlite'
 *
 * declare const database: SqliteDatabase // such as new DatabaseSync('animals.sqlite') of node:sqlite
 * const keys = createSqliteKeyStore({ database })
 * await keys.update({ id: 'shelter' }, () => [
 *   { id: 'shelter', sha256: sha256('my-first-long-api-key'), plan: 'pro' },
 * ])
 */
export function createSqliteKeyStore(options: SqliteKeyStoreOptions): SqliteKeyStore {
  const { database, lockTimeoutMs } = openDatabase(options, { clock: aFunction })
  const { clock = () => Date.now() } = options
  const select = `SELECT ${selectedKeyColumns} FROM api_keys`
  const order = 'ORDER BY id, created_at, sha256'
  const every = database.prepare(`${select} ${order}`)
  const ofId = database.prepare(`${select} WHERE api_keys.id = ? ${order}`)
  const ofPrefix = database.prepare(`${select} WHERE sha256 BETWEEN ? AND ? ${order}`)
  const counts = database.prepare(countingStatement('api_keys', '?1', hashNumber))
  const write = database.prepare(upsert)
  const one = database.prepare(`SELECT ${callerColumns} FROM api_keys WHERE sha256 = ?`)
  const noneHarmless = () => 0
  /** Caching takes a third of the time of a query. */
  const cached = createFileCache<string, { readonly row: CallerRow; readonly caller: Caller }>(
    createChangeCounter(database, noneHarmless),
    maxCached,
  )
  const writer = createWriter(database, lockTimeoutMs)
  let lastUpdate: Promise<unknown> = Promise.resolve()

  function findKey(tokenDigest: string): Caller | undefined {
    const key = atWork(() =>
      cached(tokenDigest, () => {
        // Drivers return undefined or null for no row; the row has this shape.
        const row = one.get(hexOfDigest(tokenDigest)) as CallerRow | undefined | null
        return row ? { row, caller: callerOfRow(row) } : undefined
      }),
    )
    return key && isInForce(key.row, clock()) ? key.caller : undefined
  }

  function list(selection?: KeySelection): readonly KeyRecord[] {
    if (!selection) return recordsOf(every.all())
    if ('id' in selection) return recordsOf(ofId.all(selection.id))
    return recordsOf(ofPrefix.all(selection.sha256, `${selection.sha256}g`)) // the digits end at f
  }

  function change(selection: KeySelection, changeKeys: KeyChange): readonly KeyRecord[] {
    const before = list(selection)
    const changed = changeKeys(before)
    checkChanges(before, changed)
    const now = clock()
    return changed.map((record) => storedKey(write.get(...keyRowValues(record, now))))
  }

  const store = {
    find: (token: string) => findKey(digest(token)),
    [findByDigest]: findKey,
    list: (selection?: KeySelection) => atWork(() => list(selection)),
    count: (now: number) => atWork(() => countOfRow(counts.get(now) as KeyCountRow)), // that row
    /** One after the other, each in a transaction of its own, since one may fail. */
    update(selection: KeySelection, changeKeys: KeyChange): Promise<readonly KeyRecord[]> {
      const result = lastUpdate.then(() => writer.write(change, selection, changeKeys))
      lastUpdate = result.catch(() => {})
      return result
    },
  }
  return store // its type does not show the symbol
}

/** The rows are those of `selectedKeyColumns`. */
function recordsOf(rows: readonly unknown[]): readonly KeyRecord[] {
  return (rows as readonly KeyRow[]).map(recordOfRow)
}

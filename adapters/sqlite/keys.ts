import type { Caller, KeyChange, KeyRecord, KeyRecords, KeySelection, KeyStore } from '../../core/index.ts'
import { aFunction, digest, findByDigest, hexOfDigest } from '../../core/internal.ts'
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
import type { Immediate } from '../sql/store.ts'
import { changesOf, createFileCache } from './changes.ts'
import type { SqliteDatabase } from './database.ts'
import { atWork } from './failure.ts'
import { openDatabase } from './schema.ts'
import { createWriter } from './writer.ts'

/** How `createSqliteKeyStore` is set up. */
export interface SqliteKeyStoreOptions {
  /**
   * An open database, which may be that of a `createSqliteStore`. Run no transaction of your own on it. While animals
   * are imported or exported on the same connection, lookups return the keys as they were when that began.
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
export interface SqliteKeyStore
  extends Immediate<KeyStore & KeyRecords, 'find' | 'list' | 'count'>,
    Pick<KeyRecords, 'update'> {}

/** How many keys are cached: about 3 MB. */
const maxCached = 10_000

/** The number that the first six digits of a hash are. SQLite reads no hexadecimal text. */
const hashNumber = [1, 2, 3, 4, 5, 6]
  .map((place) => `((instr('0123456789abcdef', substr(sha256, ${place}, 1)) - 1) << ${24 - 4 * place})`)
  .join(' + ')

/**
 * Creates a key store that reads the keys of a SQLite file. It prepares the file as `createSqliteStore` does.
 *
 * Every lookup checks whether the file has changed, and reads a key again if it has: a key that another process issues
 * or revokes counts from the next request on. The methods throw `StoreUnavailable` for a failure that may pass, and
 * `update` rejects with it while another program writes to the file for longer than `lockTimeoutMs`.
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
  const ofId = database.prepare(listStatement('api_keys', 'keys.id = ?'))
  const ofPrefix = database.prepare(listStatement('api_keys', 'sha256 BETWEEN ? AND ?'))
  const counts = database.prepare(countingStatement('api_keys', '?1', hashNumber))
  const write = database.prepare(upsertStatement('api_keys', 'VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)'))
  const one = database.prepare(listStatement('api_keys', 'sha256 = ?'))
  /** Caching takes a third of the time of a query. */
  const findRow = createFileCache(changesOf(database), maxCached, (tokenDigest: string) => {
    // Drivers return undefined or null for no row; the row has this shape.
    const row = one.get(hexOfDigest(tokenDigest)) as KeyRow | undefined | null
    return row ? { row, caller: callerOfRow(row) } : undefined
  })
  const changeStored = createWriter(database, lockTimeoutMs).writing(change)
  let lastUpdate: Promise<unknown> = Promise.resolve()

  function findKey(tokenDigest: string): Caller | undefined {
    const key = findRow(tokenDigest)
    return key && isInForce(key.row, clock()) ? key.caller : undefined
  }

  function list(selection: KeySelection = { sha256: '' }): readonly KeyRecord[] {
    const rows =
      'id' in selection ? ofId.all(selection.id) : ofPrefix.all(selection.sha256, `${selection.sha256}g`) // the digits end at f
    return recordsOf(rows)
  }

  function change(selection: KeySelection, changeKeys: KeyChange): readonly KeyRecord[] {
    const rows = changedRows(list(selection), changeKeys, clock())
    return rows.map((values) => storedKey(write.get(...values)))
  }

  const store = {
    find: (token: string) => findKey(digest(token)),
    [findByDigest]: findKey,
    list: (selection?: KeySelection) => atWork(() => list(selection)),
    count: (now: number) => atWork(() => countOfRow(counts.get(now))),
    /** One after the other, each in a transaction of its own, since one may fail. */
    update(selection: KeySelection, changeKeys: KeyChange): Promise<readonly KeyRecord[]> {
      const result = lastUpdate.then(() => changeStored(selection, changeKeys))
      lastUpdate = result.catch(() => {})
      return result
    },
  }
  return store // its type does not show the symbol
}

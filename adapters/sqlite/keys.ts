import type { KeyStore } from '../../core/index.ts'
import { aFunction } from '../../core/internal.ts'
import type { KeyRecords } from '../sql/key-records.ts'
import {
  createKeyStatements,
  createSqlKeyStore,
  type KeyRow,
  listStatement,
  parseFoundKey,
} from '../sql/keys.ts'
import { createFileCache, getChanges } from './changes.ts'
import type { SqliteStoreOptions } from './database.ts'
import { atWork } from './failure.ts'
import { openDatabase } from './schema.ts'
import { findWriter } from './writer.ts'

/**
 * Options of `createSqliteKeyStore`. A `createSqliteStore` may have the same database. While animals are imported or
 * exported on it, lookups return the keys as they were when that began, and changes wait.
 */
export interface SqliteKeyStoreOptions extends SqliteStoreOptions {
  /** Returns milliseconds since the epoch; `Date.now` by default. It decides which keys have expired. */
  readonly clock?: () => number
}

/** A key store in a SQLite file, whose keys can be changed. `find`, `list` and `count` return immediately. */
export interface SqliteKeyStore extends KeyStore, KeyRecords {}

/** Maximum number of cached keys: about 3 MB. */
const maxCached = 10_000

const members = ['sha256', 'id', 'plan', 'minute', 'day', 'label', 'createdAt', 'expiresAt', 'revokedAt']

/** The number of a hexadecimal text, which SQLite cannot read. */
const digits = [1, 2, 3, 4, 5, 6].map(
  (place) => `((instr('0123456789abcdef', substr(sha256, ${place}, 1)) - 1) << ${24 - 4 * place})`,
)

const fromJson = members.map((name) => `json_extract(value, '$.${name}') AS "${name}"`)

const table = {
  name: 'api_keys',
  fromJson: `(SELECT ${fromJson} FROM json_each($1)) WHERE true`,
  hashNumber: digits.join(' + '),
}

/**
 * Creates a key store that reads the keys of a SQLite file. It prepares the file as `createSqliteStore` does.
 *
 * Every lookup checks whether the file has changed, and then reads the key again, so a key that another process issues
 * or revokes counts from the next request. The methods throw `StoreUnavailable` if a failure may pass. `update` rejects
 * with it while another program writes to the file, or an import runs, for longer than `lockTimeoutMs`.
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
  const one = database.prepare(listStatement(table.name, 'sha256 = ?'))
  /** A cached lookup takes 33 % of the time of a query. */
  const find = createFileCache(getChanges(database), maxCached, (hash: string) => {
    // Drivers return undefined or null for no row; the row has this shape.
    const row = one.get(hash) as KeyRow | undefined | null
    return row ? parseFoundKey(row) : undefined
  })
  const run = (statement: string, values: (string | number)[]) =>
    database.prepare(statement.replaceAll(/\$\d/g, '?')).all(...values)
  const { list, count, change } = createKeyStatements({ ...table, run }, clock)
  const changeStored = findWriter(database).writing(change, { waitMs: lockTimeoutMs, isAlone: true })

  return createSqlKeyStore(find, clock, {
    list: (selection) => atWork(() => list(selection)),
    count: (now) => atWork(() => count(now)),
    update: async (selection, changeKeys) => changeStored(selection, changeKeys),
  })
}

import { functionRule } from '../../core/internal.ts'
import type { ManagedKeyStore } from '../backend/index.ts'
import {
  createKeyStatements,
  createListStatement,
  createSqlKeyStore,
  type KeyRow,
  parseFoundKey,
} from '../sql/key-statements.ts'
import { createReadCache, getChangeDetector } from './changes.ts'
import type { SqliteStoreOptions } from './database.ts'
import { translateErrors } from './failure.ts'
import { prepareFromOptions } from './schema.ts'
import { getWriter } from './writer.ts'

/**
 * Options for {@link createSqliteKeyStore}. A store for animals may use the same database. During an import or export,
 * lookups return the keys from before it, and key changes wait.
 */
export interface SqliteKeyStoreOptions extends SqliteStoreOptions {
  /**
   * Returns the current time in milliseconds since the epoch, which decides whether a key has expired.
   *
   * @default Date.now
   */
  readonly clock?: () => number
}

/** A store for API keys in a SQLite file, including key management. `find`, `list` and `count` return immediately. */
export interface SqliteKeyStore extends ManagedKeyStore {}

/** 10,000 keys take about 3 MB. */
const maxCachedKeys = 10_000

const members = ['sha256', 'id', 'plan', 'minute', 'day', 'label', 'createdAt', 'expiresAt', 'revokedAt']

/** SQLite cannot parse hexadecimal numbers. */
const hashDigits = [1, 2, 3, 4, 5, 6].map(
  (place) => `((instr('0123456789abcdef', substr(sha256, ${place}, 1)) - 1) << ${24 - 4 * place})`,
)

const fromJson = members.map((name) => `json_extract(value, '$.${name}') AS "${name}"`)

const table = {
  name: 'api_keys',
  fromJson: `(SELECT ${fromJson} FROM json_each($1)) WHERE true`,
  hashNumberSql: hashDigits.join(' + '),
}

/**
 * Creates a store for API keys in a SQLite file. Missing tables are created.
 *
 * Each lookup notices changes to the file. A key that another process issues or revokes is valid or rejected from the
 * next request. Methods throw `StoreUnavailableError` for failures that may pass. `update` also rejects with this error
 * if another program writes to the file, or an import runs, for longer than `lockTimeoutMs`.
 *
 * @throws {TypeError} If an option is invalid or unknown.
 * @throws {StartupError} If the file belongs to another program or an unsupported version, is damaged, is not writable
 * or stays locked.
 *
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
  const { database, lockTimeoutMs } = prepareFromOptions(options, { clock: functionRule })
  const { clock = () => Date.now() } = options
  const selectByHash = database.prepare(createListStatement(table.name, 'sha256 = ?'))
  /** A cached lookup takes 33 % of a query's time. */
  const changes = getChangeDetector(database)
  const find = createReadCache(changes, maxCachedKeys, (hash: string) => {
    // The statement selects the columns of a `KeyRow`. Drivers return `undefined` or `null` if the key is unknown.
    const row = selectByHash.get(hash) as KeyRow | undefined | null
    return row ? parseFoundKey(row) : undefined
  })
  const run = (statement: string, values: (string | number)[]) =>
    database.prepare(statement.replaceAll(/\$\d/g, '?')).all(...values)
  const { list, count, change } = createKeyStatements({ ...table, run }, clock)
  const changeStored = getWriter(database).wrap<Parameters<typeof change>, ReturnType<typeof change>>(
    (...parameters) => {
      changes.invalidate()
      return change(...parameters)
    },
    { maxWaitMs: lockTimeoutMs, hasOwnTransaction: true },
  )

  return createSqlKeyStore(find, clock, {
    list: (selection) => translateErrors(() => list(selection)),
    count: (now) => translateErrors(() => count(now)),
    update: async (selection, changeKeys) => changeStored(selection, changeKeys),
  })
}

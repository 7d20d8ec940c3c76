export * from '../backend/public.ts'
export type { Immediate, Promised } from '../sql/store.ts'
export { backUpSqlite } from './backup.ts'
export type {
  SqliteDatabase,
  SqliteStatement,
  SqliteStoreOptions,
  SqliteValue,
} from './database.ts'
export { createSqliteKeyStore, type SqliteKeyStore, type SqliteKeyStoreOptions } from './key-store.ts'
export { type OpenSqliteOptions, openSqlite } from './open.ts'
export type { ClosableDatabase, SqliteDriver } from './open-file.ts'
export { createSqliteStore, type SqliteStore } from './store.ts'

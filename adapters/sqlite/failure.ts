import { StoreUnavailableError } from '../../core/index.ts'
import { StartupError } from '../backend/index.ts'

const lockedAdvice = 'is locked by another program: stop that program, or wait'

/**
 * Messages for SQLite failures that may pass while the server runs. Each key is a part of SQLite's own message, which
 * is the same with every driver.
 */
const temporaryFailures: Readonly<Record<string, string>> = {
  'is locked': lockedAdvice,
  'locking protocol': lockedAdvice,
  'is full': 'has no space left: free some disk space',
  'readonly database': 'cannot be written: check the permissions of the file and its folder',
  'unable to open': 'cannot be opened: check that its folder exists, and check the permissions of both',
  'disk I/O error': 'cannot be read or written: check the disk',
}

const permanentFailures: Readonly<Record<string, string>> = {
  malformed: 'is damaged: restore a backup, or recover what is left with .recover in sqlite3',
  'not a database': 'is not a SQLite database: choose another file',
}

function findAdvice(error: unknown, failures: Readonly<Record<string, string>>): string | undefined {
  const message = error instanceof Error && !(error instanceof StoreUnavailableError) ? error.message : ''
  return Object.entries(failures).find(([part]) => message.includes(part))?.[1]
}

/** Checks whether another program locks the database. */
export function isLockedError(error: unknown): boolean {
  return findAdvice(error, temporaryFailures) === lockedAdvice
}

/** Returns a `StoreUnavailableError` for a failure that may pass, or the error itself otherwise. */
export function toStoreError(error: unknown): unknown {
  const advice = findAdvice(error, temporaryFailures)
  return advice ? new StoreUnavailableError(`the SQLite database ${advice}`, { cause: error }) : error
}

/** Runs a function and throws its errors as {@link toStoreError} returns them. */
export function translateErrors<T>(run: () => T): T {
  try {
    return run()
  } catch (error) {
    throw toStoreError(error)
  }
}

/** Returns a `StartupError` for a known SQLite failure, or the error itself otherwise. */
export function toStartupError(file: string, error: unknown): unknown {
  if (error instanceof StartupError || !(error instanceof Error)) return error
  const code = findAdvice(error, temporaryFailures) ? 'unavailable' : 'unusable'
  const advice = findAdvice(error, { ...temporaryFailures, ...permanentFailures })
  return advice ? new StartupError(code, `${file} ${advice}: ${error.message}`, { cause: error }) : error
}

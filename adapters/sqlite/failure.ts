import { StoreUnavailable } from '../../core/index.ts'

const locked = 'is locked by another program: end it, or wait for it'

/**
 * Descriptions of failures that may pass while the server runs, by a part of the message of SQLite, which every driver
 * passes on. A description follows the name of the file, and says what to do.
 */
const passing: Readonly<Record<string, string>> = {
  'is locked': locked,
  'locking protocol': locked,
  'is full': 'has no room left: free some disk space',
  'readonly database': 'cannot be written: check the permissions of the file and of its folder',
  'unable to open': 'cannot be opened: check that its folder is there, and the permissions of both',
  'disk I/O error': 'cannot be read or written: check the disk',
}

const lasting: Readonly<Record<string, string>> = {
  malformed: 'is damaged: restore a backup, or save what is left with the .recover command of sqlite3',
  'not a database': 'is not a SQLite database: name another file',
}

function adviceFor(error: unknown, failures: Readonly<Record<string, string>>): string | undefined {
  const message = error instanceof Error && !(error instanceof StoreUnavailable) ? error.message : ''
  return Object.entries(failures).find(([part]) => message.includes(part))?.[1]
}

/** Returns whether another connection holds the lock. */
export function isLocked(error: unknown): boolean {
  return adviceFor(error, passing) === locked
}

/** Returns the error to throw at work: a `StoreUnavailable` if the failure may pass, otherwise the error itself. */
export function toWorkFailure(error: unknown): unknown {
  const advice = adviceFor(error, passing)
  return advice ? new StoreUnavailable(`the SQLite database ${advice}`, { cause: error }) : error
}

/** Runs statements. Throws as `toWorkFailure` says. */
export function atWork<T>(run: () => T): T {
  try {
    return run()
  } catch (error) {
    throw toWorkFailure(error)
  }
}

/** Returns the error to throw at the start: it names a known failure and what to do, or is the error itself. */
export function toStartFailure(file: string, error: unknown): unknown {
  const advice = adviceFor(error, { ...passing, ...lasting })
  return advice ? new Error(`${file} ${advice}`, { cause: error }) : error
}
